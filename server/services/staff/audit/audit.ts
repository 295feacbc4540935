import type { Database, Query } from "@/server/db/client";
import { isMissingRow } from "@/server/db/faults";
import type { Prisma } from "@/server/db/generated/client";
import { run } from "@/server/db/statement";
import { insertAuditEntry } from "@/server/services/staff/audit/audit.sql";
import type { OperatorContext, SignedIn, StaffContext } from "@/server/services/staff/procedure/staff-context";

export interface AuditedAction {
  /** `<noun>.<past verb>`: `delivery.retried`, `application.created`. */
  action: string;
  /** The id of what it was done to. */
  object: string;
  /** Never a secret, a token or event text. */
  detail?: Record<string, unknown>;
}

export interface Doer extends Pick<StaffContext, "now" | "address"> {
  /** Null: nobody whom we know, who tried to sign in. */
  operator: Pick<SignedIn, "id" | "email" | "role"> | null;
  /** What the trail says of nobody. "Unknown user" unless given. */
  stranger?: string;
  /** Null: no request of ours. */
  requestId: string | null;
}

/** Writes who did what, in the transaction of the action. The table rejects later changes. */
export async function audit(query: Query, ctx: Doer, audited: AuditedAction): Promise<void> {
  const { at, operatorId, actor, action, object, detail, address, requestId } = entryOf(ctx, audited);
  const values = [at, operatorId, actor, action, object, JSON.stringify(detail), address, requestId];
  await run(query, insertAuditEntry, values);
}

/** Writes what changes nothing else: an attempt to sign in, a view, an export. */
export async function auditAlone({ prisma }: Database, ctx: Doer, audited: AuditedAction): Promise<void> {
  await prisma.auditEntry.create({ select: { id: true }, data: entryOf(ctx, audited) });
}

/** Runs one write and audits it, both or neither. False, with nothing written, if there is no row to change. */
export async function runAudited(
  ctx: OperatorContext,
  write: Prisma.PrismaPromise<unknown>,
  audited: AuditedAction,
): Promise<boolean> {
  const { prisma } = ctx.db;
  const entry = prisma.auditEntry.create({ select: { id: true }, data: entryOf(ctx, audited) });
  try {
    await ctx.db.together([write, entry]);
    return true;
  } catch (error) {
    if (isMissingRow(error)) return false;
    throw error;
  }
}

function entryOf(
  { now, operator, stranger = "Unknown user", address, requestId }: Doer,
  { action, object, detail = {} }: AuditedAction,
) {
  return {
    at: new Date(now),
    operatorId: operator?.id ?? null,
    actor: operator ? `${operator.email} (${operator.role})` : stranger,
    action,
    object,
    detail: detail as Prisma.InputJsonObject,
    address,
    requestId,
  };
}
