import type { Connection } from "@/server/db/client";
import type { Prisma } from "@/server/db/generated/client";
import { run, runOne } from "@/server/db/statement";
import { Refusal } from "@/server/services/refusal";
import { type AuditActor, audit } from "@/server/services/staff/audit/audit";
import { lockPassword, wrongTries } from "@/server/services/staff/sessions/sessions.sql";

const MOST_WRONG = 5;
const WITHIN_MS = 15 * 60_000;

interface Tried {
  operatorId: string;
  /** What is tried, as the audit trail names it. */
  what: "password" | "second_factor";
}

/**
 * Records a try before it is checked, since tries that arrive together would otherwise all be allowed, and returns the
 * stored derivation of the operator's password. Refuses the sixth wrong one within 15 minutes, with the time to wait.
 */
export async function takeTry(
  { query, prisma }: Connection,
  actor: AuditActor,
  { operatorId, what }: Tried,
): Promise<string | null> {
  const [found] = await run(query, lockPassword, [operatorId]);
  const since = new Date(actor.now - WITHIN_MS);
  const tries = await runOne(query, wrongTries, [operatorId, since, `${what}.tried`, `${what}.proven`]);
  if (tries.wrong >= MOST_WRONG) {
    const refused = { object: operatorId, at: { gt: since }, action: `${what}.refused` };
    const first = await firstRefused(prisma, refused);
    const waitMs = first ? first.at.getTime() + WITHIN_MS - actor.now : WITHIN_MS;
    throw new Refusal({ kind: "throttled", retryAfter: Math.max(1, Math.ceil(waitMs / 1000)) });
  }
  await audit(prisma, actor, { action: `${what}.tried`, object: operatorId });
  return found?.hash ?? null;
}

/** Returns when the first of the last five refused tries was refused. */
function firstRefused(prisma: Prisma.TransactionClient, where: Prisma.AuditEntryWhereInput) {
  return prisma.auditEntry.findFirst({ select: { at: true }, where, orderBy: { at: "desc" }, skip: MOST_WRONG - 1 });
}
