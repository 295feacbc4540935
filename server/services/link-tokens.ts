import { z } from "zod";
import { newToken } from "@/server/db/new-id";
import { LINK_TOKEN_MS } from "@/server/domain/grants";
import { requireLivingAccount } from "@/server/services/living-account";
import { accountProcedure } from "@/server/services/trpc";
import { storeLinkToken } from "@/server/store/link-tokens/link-tokens";

/** The response of POST /v1/link_tokens. */
export const linkTokenShape = z.object({ link_token: z.string().regex(/^lt_/) });

/**
 * Creates a link token, with which the connect page adds one more calendar account to this account (POST
 * /v1/link_tokens). Throws signed_out when the account is revoked in the meantime.
 */
export const createLinkToken = accountProcedure.mutation(async ({ ctx }) => {
  const link_token = newToken("lt");
  const { accountId } = ctx.bearer;
  await ctx.db.transaction(async (query, prisma) => {
    await requireLivingAccount(query, accountId);
    await storeLinkToken(prisma, { token: link_token, accountId, lifeMs: LINK_TOKEN_MS, now: ctx.now });
  });
  return { link_token };
});
