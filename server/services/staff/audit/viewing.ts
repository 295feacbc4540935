import { audit } from "@/server/services/staff/audit/audit";
import type { OperatorContext } from "@/server/services/staff/procedure/staff-context";

const ONCE_IN_MS = 60 * 60 * 1000;

/** Records that an operator read what customers sent: once an hour for each object. */
export async function noteViewing(
  ctx: OperatorContext,
  { action, object }: { action: "request.viewed" | "delivery.viewed" | "endpoint.viewed"; object: string },
): Promise<void> {
  const entry = await ctx.db.prisma.auditEntry.findFirst({
    select: { id: true },
    where: { object, action, operatorId: ctx.operator.id, at: { gt: new Date(ctx.now - ONCE_IN_MS) } },
  });
  if (entry === null) await audit(ctx.db.prisma, ctx, { action, object });
}
