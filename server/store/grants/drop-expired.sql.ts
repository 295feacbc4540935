import { deletingBatch } from "@/server/db/batches";
import { int4, statement } from "@/server/db/statement";

export const dropAccessTokens = statement<{ n: number }>(deletingBatch("access_tokens", "expires_at < $1"), {
  n: int4,
});
export const dropLinkTokens = statement<{ n: number }>(deletingBatch("link_tokens", "expires_at < $1"), { n: int4 });
export const dropSignIns = statement<{ n: number }>(deletingBatch("provider_sign_ins", "expires_at < $1"), { n: int4 });
export const dropCodes = statement<{ n: number }>(
  deletingBatch("codes", "expires_at < $1 AND EXISTS (SELECT FROM grants g WHERE g.account_id = codes.account_id)"),
  { n: int4 },
);
