import type { Query } from "@/server/db/client";
import type { SignedIn, StaffContext } from "@/server/services/staff/staff-context";

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

/** Writes who did what, in the transaction of the deed. The table takes no change afterwards. */
export async function audit(query: Query, ctx: Doer, { action, object, detail = {} }: AuditedAction): Promise<void> {
  const { operator } = ctx;
  await query(
    `INSERT INTO audit_entries (at, operator_id, actor, action, object, detail, address, request_id)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
    [
      new Date(ctx.now),
      operator?.id ?? null,
      operator ? `${operator.email} (${operator.role})` : "Unknown user",
      action,
      object,
      JSON.stringify(detail),
      ctx.address,
      ctx.requestId,
    ],
  );
}
