import type { Query } from "@/server/db/client";
import { run } from "@/server/db/statement";
import { insertAuditEntry } from "@/server/services/staff/audit/audit.sql";
import type { SignedIn, StaffContext } from "@/server/services/staff/procedure/staff-context";

export interface AuditedAction {
  /** `<noun>.<past verb>`: `delivery.retried`, `application.created`. */
  action: string;
  /** The id of what it was done to. */
  object: string;
  /** Never a secret, a token or event text. */
  detail?: Record<string, unknown>;
}

export interface Doer extends Pick<StaffContext, "now" | "address" | "requestId"> {
  /** Null: nobody whom we know, who tried to sign in. */
  operator: Pick<SignedIn, "id" | "email" | "role"> | null;
}

/** Writes who did what, in the transaction of the action. The table rejects later changes. */
export async function audit(query: Query, ctx: Doer, { action, object, detail = {} }: AuditedAction): Promise<void> {
  const { operator } = ctx;
  await run(query, insertAuditEntry, [
    new Date(ctx.now),
    operator?.id ?? null,
    operator ? `${operator.email} (${operator.role})` : "Unknown user",
    action,
    object,
    JSON.stringify(detail),
    ctx.address,
    ctx.requestId,
  ]);
}
