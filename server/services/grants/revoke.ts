import { z } from "zod";
import type { Database } from "@/server/db/client";
import { digest } from "@/server/db/sealed";
import { differs } from "@/server/domain/compat";
import { isFaulty } from "@/server/domain/text";
import { MAX_OAUTH_FIELD } from "@/server/domain/text-limits";
import { text } from "@/server/services/fields";
import { requireClient } from "@/server/services/grants/client";
import { clientInput } from "@/server/services/grants/client-input";
import { oauthInput } from "@/server/services/grants/oauth-input";
import { credentials } from "@/server/services/grants/token";
import { oauthRefusal } from "@/server/services/refusal";
import { openProcedure, refuseWrites } from "@/server/services/trpc";
import { revokeAccount } from "@/server/store/accounts/revoke-account";
import { grantNamedBy } from "@/server/store/grants/rotating-token";

/** The body of POST /oauth/token/revoke. `refresh_token` or `sub` (the account) can replace `token` in compatibility mode only. */
export const revokeBody = z
  .object({
    ...credentials,
    token: text({ min: 1, max: MAX_OAUTH_FIELD })
      .describe("An access token or a refresh token. Required outside compatibility mode.")
      .optional(),
    refresh_token: text({ min: 1, max: MAX_OAUTH_FIELD })
      .describe("Compatibility mode only: accepted instead of `token`.")
      .optional(),
    sub: text({ min: 1, max: MAX_OAUTH_FIELD })
      .describe("Compatibility mode only: the account id, accepted instead of `token`.")
      .optional(),
  })
  .meta({ required: ["token"] });

/** Ends the whole grant (POST /oauth/token/revoke, RFC 7009) without revealing whether the token existed. Throws OAuth refusals. */
export const revoke = openProcedure.input(clientInput(oauthInput(revokeBody))).mutation(async ({ input, ctx }) => {
  const { client, body } = await requireClient(ctx, input);
  refuseWrites(ctx);
  const { refresh_token = undefined, sub: named = undefined } = differs("revokesByOtherParameters", client) ? body : {};
  const token = body.token ?? refresh_token;
  // An account id is no secret: without a client secret it ends nothing.
  const sub = client.isAuthenticated ? named : undefined;
  if (!token && !sub) throw oauthRefusal("invalid_request", "token is required");
  const accountId = token ? await accountOf(ctx.db, token, client.id) : await ownAccount(ctx.db, sub, client.id);
  if (accountId) await revokeAccount(ctx.db, accountId, ctx.now);
});

async function ownAccount(
  { prisma }: Database,
  accountId: string | undefined,
  applicationId: string,
): Promise<string | undefined> {
  if (accountId === undefined || isFaulty(accountId)) return undefined;
  const account = await prisma.account.findUnique({ where: { id: accountId, applicationId }, select: { id: true } });
  return account?.id;
}

async function accountOf({ prisma }: Database, token: string, applicationId: string): Promise<string | undefined> {
  const hash = digest(token);
  const account = { select: { id: true, applicationId: true } };
  const grant =
    (await prisma.grant.findFirst({
      where: { OR: [{ refreshHash: hash }, { id: grantNamedBy(token) ?? "", nextRefreshHashes: { has: hash } }] },
      select: { account },
    })) ??
    (await prisma.accessToken.findUnique({ where: { hash }, select: { grant: { select: { account } } } }))?.grant;
  return grant?.account.applicationId === applicationId ? grant.account.id : undefined;
}
