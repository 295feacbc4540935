import { isMissingRow } from "@/server/db/faults";
import type { Prisma } from "@/server/db/generated/client";
import type { AuditAction } from "@/server/domain/audit/actions";
import type { OperatorContext, SignedInOperator, StaffContext } from "@/server/services/staff/procedure/staff-context";

export interface AuditedAction {
  /** `<noun>.<past verb>`: `delivery.retried`, `application.created`. */
  action: AuditAction;
  /** The id of the object of the action. */
  object: string;
  /** Never a secret, a token or event text. */
  detail?: Record<string, unknown>;
}

export interface AuditActor extends Pick<StaffContext, "now" | "address"> {
  /** Null: an unknown person who tried to sign in. */
  operator: Pick<SignedInOperator, "id" | "email" | "role"> | null;
  /** The audit trail's name for an unknown person. "Unknown user" by default. */
  stranger?: string;
  /** Null: it was no request of ours. */
  requestId: string | null;
}

/** Records an action in its transaction if it changes anything. The table rejects later changes. */
export function audit(
  prisma: Prisma.TransactionClient,
  { now, operator, stranger = "Unknown user", address, requestId }: AuditActor,
  { action, object, detail = {} }: AuditedAction,
): Prisma.PrismaPromise<unknown> {
  const who = { operatorId: operator?.id ?? null, actor: operator ? `${operator.email} (${operator.role})` : stranger };
  const what = { action, object, detail: detail as Prisma.InputJsonObject };
  const data = { at: new Date(now), ...who, ...what, address, requestId };
  return prisma.auditEntry.create({ select: { id: true }, data });
}

/** Runs one write and audits it, both or neither. Returns false, with nothing written, if there is no row to change. */
export async function runAudited(
  ctx: OperatorContext,
  write: Prisma.PrismaPromise<unknown>,
  audited: AuditedAction,
): Promise<boolean> {
  try {
    await ctx.db.together([write, audit(ctx.db.prisma, ctx, audited)]);
    return true;
  } catch (error) {
    if (isMissingRow(error)) return false;
    throw error;
  }
}
