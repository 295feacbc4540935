import type { Query } from "@/server/db/client";
import { newId } from "@/server/db/new-id";
import { wake } from "@/server/db/wake";
import { MAX_OPEN_AUTHORIZATIONS, sandboxOutcome } from "@/server/domain/delegations";
import { accountOf } from "@/server/services/application-calendars/open";
import { inputOf, rawInput } from "@/server/services/input";
import { authorizationEntry, authorizationList } from "@/server/services/organizations/shape";
import { Refusal } from "@/server/services/refusal";
import { applicationProcedure, type Client, type Context } from "@/server/services/trpc";
import { takeApplication } from "@/server/store/profiles/connected-profile";

/** Those that wait for their mailbox are worked off within minutes. */
const RETRY_S = 60;

/**
 * Asks for mailboxes of organizations (POST /v1/service_account_authorizations). What came of each is sent to its
 * callback URL. Throws 422, and throttled while 2,000 of the application's mailboxes wait to be opened.
 */
export const authorizeByServiceAccount = applicationProcedure
  .input(rawInput((raw) => raw)) // read below, where the operator's origins are known
  .mutation(async ({ input, ctx }): Promise<void> => {
    const { db, client, now } = ctx;
    const asked = entriesOf(input, ctx.callbackOrigins);
    await db.transaction(async (query, prisma) => {
      await takeApplication(query, client.id);
      const where = { applicationId: client.id, dueAt: { not: null }, outcome: null };
      const open = await prisma.serviceAccountAuthorization.count({ where });
      if (open + asked.length > MAX_OPEN_AUTHORIZATIONS) {
        throw new Refusal({ kind: "throttled", retryAfter: RETRY_S });
      }
      const at = new Date(now);
      const rows = asked.map(({ email, callback_url: callbackUrl, state = null }) => ({
        ...{ id: newId("saa"), applicationId: client.id, email, callbackUrl, state, createdAt: at, dueAt: at },
      }));
      for (const row of rows) {
        const data = { ...row, ...(ctx.sandbox.isOn && (await inSandbox(query, ctx, row))) };
        await prisma.serviceAccountAuthorization.create({ select: { id: true }, data });
      }
    });
    wake("authorize");
  });

/** Opens a made-up mailbox: an application calendar of that name. Null: it is no such mailbox. */
async function inSandbox(
  query: Query,
  { client, baseUrl }: Context & { client: Client },
  { email }: { email: string },
) {
  const outcome = sandboxOutcome(email);
  if (outcome !== "authorized") return outcome && { outcome };
  const account = await accountOf(query, { client, name: email, host: new URL(baseUrl).hostname });
  return { outcome, accountId: account.id, profileId: account.profile_id };
}

/** Reads one mailbox, or the list of several. */
function entriesOf(raw: unknown, callbackOrigins: readonly string[]) {
  const isList = typeof raw === "object" && raw !== null && "service_account_authorizations" in raw;
  if (!isList) return [inputOf(authorizationEntry(callbackOrigins))(raw)];
  return inputOf(authorizationList(callbackOrigins))(raw).service_account_authorizations;
}
