import { deletingBatch } from "@/server/db/batches";
import { int4, statement } from "@/server/db/statement";

export const dropReplays = statement<{ n: number }>(deletingBatch("replays", "finished_at < $1"), { n: int4 });
/** Includes accepted and revoked ones: until then their links explain what happened to them. */
export const dropInvitations = statement<{ n: number }>(deletingBatch("invitations", "expires_at < $1"), { n: int4 });
export const dropAuthorizations = statement<{ n: number }>(
  deletingBatch("service_account_authorizations", "created_at < $1"),
  { n: int4 },
);
export const dropSessions = statement<{ n: number }>(
  deletingBatch("operator_sessions", "ended_at < $1 OR expires_at < $1"),
  { n: int4 },
);
