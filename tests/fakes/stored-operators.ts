import { db } from "@/server/db/client";
import type { Prisma } from "@/server/db/generated/client";
import { newId } from "@/server/db/new-id";

type SessionRow = Prisma.OperatorSessionUncheckedCreateInput;

export async function disableOperators(of: { id: string } | { role: "admin" | "support" }): Promise<void> {
  await db().prisma.operator.updateMany({ where: of, data: { disabledAt: new Date() } });
}

export async function setOperatorRole(operatorId: string, role: "admin" | "support"): Promise<void> {
  await db().prisma.operator.updateMany({ where: { id: operatorId }, data: { role } });
}

/** Makes a developer a member of applications, as an admin does. */
export async function addMember(operatorId: string, applications: readonly string[]): Promise<void> {
  const data = applications.map((applicationId) => ({ operatorId, applicationId }));
  await db().prisma.applicationMember.createMany({ data });
}

/** A session that began then and lasts twelve hours, unless `more` says otherwise. Gives its id. */
export async function addSession(operatorId: string, createdAt: Date, more: Partial<SessionRow> = {}): Promise<string> {
  const id = newId("ses");
  const expiresAt = new Date(createdAt.getTime() + 12 * 3_600_000);
  await db().prisma.operatorSession.create({
    data: { id, operatorId, way: "single_sign_on", createdAt, lastSeenAt: createdAt, expiresAt, ...more },
  });
  return id;
}

export async function storedSessions(operatorId: string) {
  return await db().prisma.operatorSession.findMany({ where: { operatorId } });
}

/** The operator signed in so much earlier. */
export async function backdateSessions(operatorId: string, byMs: number): Promise<void> {
  for (const { id, createdAt } of await storedSessions(operatorId)) {
    const earlier = new Date(createdAt.getTime() - byMs);
    await db().prisma.operatorSession.update({ where: { id }, data: { createdAt: earlier } });
  }
}

/** The audit trail of an object, the oldest first. */
export async function auditTrail(object: string) {
  const rows = await db().prisma.auditEntry.findMany({ where: { object }, orderBy: { id: "asc" } });
  return rows.map(({ action, actor, operatorId, detail, address }) => ({
    ...{ action, actor, operator_id: operatorId, address },
    detail: detail as Record<string, unknown>,
  }));
}

/** A replay of one delivery that was begun then, and runs unless it is finished. Gives its id. */
export async function addReplay(operatorId: string, createdAt: Date, finishedAt: Date | null): Promise<string> {
  const id = newId("rpl");
  const times = { state: finishedAt ? "done" : "running", dueAt: createdAt, createdAt, finishedAt } as const;
  await db().prisma.replay.create({ data: { id, operatorId, filters: {}, total: 1, ...times } });
  return id;
}
