import { z } from "zod";
import type { Prisma } from "@/server/db/generated/client";
import { newId } from "@/server/db/new-id";
import { run } from "@/server/db/statement";
import { quotas } from "@/server/domain/provider-quotas";
import { MAX_OAUTH_FIELD } from "@/server/domain/text-limits";
import { env } from "@/server/env";
import { connectorOf } from "@/server/providers/connectors";
import { type ClientAnswer, tryClient } from "@/server/providers/try-client";
import { text } from "@/server/services/fields";
import { staffInput } from "@/server/services/input";
import { Refusal } from "@/server/services/refusal";
import { audit } from "@/server/services/staff/audit/audit";
import { notSetUp } from "@/server/services/staff/organizations/verify";
import { adminProcedure } from "@/server/services/staff/procedure/trpc";
import { lockApplication } from "@/server/store/applications/applications.sql";
import { sealClientSecret } from "@/server/store/applications/oauth-clients";

const id = text({ min: 1, max: 100 });
const provider = z.enum(quotas);
const field = z
  .string()
  .transform((value) => value.trim())
  .pipe(text({ min: 1, max: MAX_OAUTH_FIELD }));
const names = { google: "Google", microsoft: "Microsoft" } as const;

/**
 * Sets the OAuth client by which users of an application sign in at a provider, once the provider knows it. Profiles
 * stay with the client that they were connected by; the same client again gets a new secret. Throws not_found, and
 * conflict for one that the provider doesn't say to know, for the installation's, or a provider that isn't set up.
 */
export const setOauthClient = adminProcedure
  .input(staffInput(z.object({ id, provider, clientId: field, clientSecret: field })))
  .mutation(async ({ input: { id: object, provider, clientId, clientSecret }, ctx }): Promise<{ id: string }> => {
    const name = names[provider];
    if ((await ctx.db.prisma.application.count({ where: { id: object } })) === 0)
      throw new Refusal({ kind: "not_found" });
    if (!connectorOf(provider)) throw new Refusal({ kind: "conflict", text: notSetUp(provider) });
    if (clientId === installationClient(provider)) {
      throw new Refusal({
        kind: "conflict",
        text: "This is the client of the installation, which every application has.",
      });
    }
    const fault = faultOf(name, await tryClient(provider, { clientId, clientSecret }, env()));
    if (fault !== null) throw new Refusal({ kind: "conflict", text: fault });
    return await ctx.db.transaction(async (query, prisma) => {
      const taken = await run(query, lockApplication, [object]);
      if (taken.length === 0) throw new Refusal({ kind: "not_found" });
      const where = { applicationId: object, provider };
      const known = await prisma.oauthClient.findFirst({ select: { id: true }, where: { ...where, clientId } });
      const client = known?.id ?? newId("oac");
      await replaceCurrent(prisma, where, { except: client, now: ctx.now });
      const sealed = sealClientSecret(client, clientSecret);
      await prisma.oauthClient.upsert({
        select: { id: true },
        where: { id: client },
        create: { ...where, id: client, clientId, sealed, createdAt: new Date(ctx.now) },
        update: { sealed, replacedAt: null },
      });
      await audit(prisma, ctx, { action: "oauth_client.set", object, detail: { provider, client: clientId } });
      return { id: client };
    });
  });

/** Has users of an application sign in by the client of the installation again. Throws not_found. */
export const removeOauthClient = adminProcedure
  .input(staffInput(z.object({ id, provider })))
  .mutation(async ({ input: { id: object, provider }, ctx }): Promise<void> => {
    await ctx.db.transaction(async (_, prisma) => {
      const replaced = await replaceCurrent(prisma, { applicationId: object, provider }, { now: ctx.now });
      if (replaced === 0) throw new Refusal({ kind: "not_found" });
      await audit(prisma, ctx, { action: "oauth_client.removed", object, detail: { provider } });
    });
  });

interface Place {
  applicationId: string;
  provider: z.output<typeof provider>;
}

async function replaceCurrent(
  prisma: Prisma.TransactionClient,
  place: Place,
  { except = "", now }: { except?: string; now: number },
): Promise<number> {
  const where = { ...place, replacedAt: null, id: { not: except } };
  return (await prisma.oauthClient.updateMany({ where, data: { replacedAt: new Date(now) } })).count;
}

function installationClient(provider: Place["provider"]): string | undefined {
  const { GOOGLE_CLIENT_ID, MICROSOFT_CLIENT_ID } = env();
  return provider === "google" ? GOOGLE_CLIENT_ID : MICROSOFT_CLIENT_ID;
}

/** Says why a client isn't set. It may replace a secret that works, so only one that the provider knows is. */
function faultOf(name: string, answer: ClientAnswer): string | null {
  switch (answer.kind) {
    case "known":
      return null;
    case "refused":
      return `${name} refuses this client ID and secret (${answer.said}).`;
    case "unclear":
      return `${name}’s response doesn’t say whether they are right (${answer.said}). Try again later.`;
    case "unreachable":
      return `${name} can’t be reached (${answer.error}). Try again later.`;
  }
}
