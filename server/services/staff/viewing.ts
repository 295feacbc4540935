import { audit } from "@/server/services/staff/audit";
import type { OperatorContext } from "@/server/services/staff/staff-context";

const ONCE_IN_MS = 60 * 60 * 1000;

/** Notes that an operator read what customers sent: once an hour for each thing that was read. */
export async function noteViewing(
  ctx: OperatorContext,
  { action, object }: { action: "request.viewed" | "delivery.viewed"; object: string },
): Promise<void> {
  const known = await ctx.db.query(
    "SELECT FROM audit_entries WHERE object = $1 AND action = $2 AND operator_id = $3 AND at > $4 LIMIT 1",
    [object, action, ctx.operator.id, new Date(ctx.now - ONCE_IN_MS)],
  );
  if (known.length === 0) await audit(ctx.db.query, ctx, { action, object });
}
