import { z } from "zod";
import { newId } from "@/server/db/new-id";
import { run } from "@/server/db/statement";
import { checkCallbackUrl } from "@/server/domain/channels/callback-url";
import { parsedUrl } from "@/server/domain/net/parsed-url";
import { env } from "@/server/env";
import { nameOf, refused, text } from "@/server/services/fields";
import { staffInput } from "@/server/services/input";
import { Refusal } from "@/server/services/refusal";
import { insertCaldavServer } from "@/server/services/staff/applications/applications.sql";
import { audit, runAudited } from "@/server/services/staff/audit/audit";
import { adminProcedure } from "@/server/services/staff/procedure/trpc";
import { lockApplication } from "@/server/store/applications/applications.sql";

const MOST_SERVERS = 20;
const LONGEST_URL = 500;
const LONGEST_HELP = 500;
const URL_RULE =
  "must be an https URL of a public host, without credentials, query or fragment, or have an origin of CALDAV_ALLOWED_ORIGINS";

const id = text({ min: 1, max: 100 });
const url = text({ min: 1, max: LONGEST_URL }).check(({ value, issues }) => {
  const isPlain = parsedUrl(value) && !/[?#]/.test(value);
  if (value === "" || (isPlain && checkCallbackUrl(value, env().CALDAV_ALLOWED_ORIGINS) === null)) return;
  issues.push(refused(value, { key: "errors.invalid" }, URL_RULE));
});
const server = z.object({ id, name: nameOf({ max: 60 }), url, help: text({ max: LONGEST_HELP }).default("") });

/**
 * Offers a CalDAV server to the users of an application, beside iCloud, with a name and a help text for signing in
 * there. Returns its id. Throws invalid, not_found and conflict.
 */
export const addCaldavServer = adminProcedure
  .input(staffInput(server))
  .mutation(async ({ input: { id: object, name, url: given, help }, ctx }): Promise<{ id: string }> => {
    const address = new URL(given).href;
    return await ctx.db.transaction(async (query, prisma) => {
      const taken = await run(query, lockApplication, [object]);
      if (taken.length === 0) throw new Refusal({ kind: "not_found" });
      const servers = await prisma.caldavServer.findMany({ select: { url: true }, where: { applicationId: object } });
      if (servers.some((one) => one.url === address)) {
        throw new Refusal({ kind: "conflict", text: "This CalDAV server has already been added." });
      }
      if (servers.length >= MOST_SERVERS) {
        throw new Refusal({
          kind: "conflict",
          text: `An application can have at most ${MOST_SERVERS} CalDAV servers.`,
        });
      }
      const added = newId("cds");
      await run(query, insertCaldavServer, [
        added,
        object,
        name.trim(),
        address,
        help.trim() || null,
        new Date(ctx.now),
      ]);
      await audit(prisma, ctx, { action: "caldav_server.added", object, detail: { server: added, url: address } });
      return { id: added };
    });
  });

/** Stops offering a CalDAV server. Accounts that are connected there stay connected. Throws not_found. */
export const removeCaldavServer = adminProcedure
  .input(staffInput(z.object({ id, serverId: id })))
  .mutation(async ({ input: { id: object, serverId }, ctx }) => {
    const where = { id: serverId, applicationId: object };
    const removal = ctx.db.prisma.caldavServer.delete({ select: { id: true }, where });
    const entry = { action: "caldav_server.removed" as const, object, detail: { server: serverId } };
    if (!(await runAudited(ctx, removal, entry))) throw new Refusal({ kind: "not_found" });
  });
