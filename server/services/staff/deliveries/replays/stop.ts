import type { Connection, Database } from "@/server/db/client";
import { databaseTime } from "@/server/db/database-time";
import { run } from "@/server/db/statement";
import { type AuditActor, audit } from "@/server/services/staff/audit/audit";
import { readReplay } from "@/server/services/staff/deliveries/replays/list";
import { stopReplay, takeBackDeliveries } from "@/server/services/staff/deliveries/replays/replays.sql";
import type { ReplayRow } from "@/server/services/staff/deliveries/shapes";

/**
 * Stops a running replay and audits it: attempts in progress continue, the others are not begun. Returns null when it
 * is not running or does not exist.
 */
export async function stopWithin(
  { query, prisma }: Connection,
  ctx: AuditActor,
  id: string,
): Promise<ReplayRow | null> {
  const stopped = await run(query, stopReplay, [id, databaseTime()]);
  if (stopped.length === 0) return null;
  const back = await run(query, takeBackDeliveries, [id, databaseTime()]);
  const untouched = back.filter(({ isBegun }) => !isBegun).length;
  await prisma.replay.update({ select: { id: true }, where: { id }, data: { taken: { decrement: untouched } } });
  const replay = await readReplay(query, id);
  const { total, retried } = replay;
  await audit(prisma, ctx, { action: "replay.cancelled", object: id, detail: { total, retried } });
  return replay;
}

/** Stops a replay whose run somebody cancelled at the Inngest server, which does not say who it was. */
export async function stopFromInngest(db: Database, id: string, now: number): Promise<void> {
  const doer: AuditActor = { now, operator: null, stranger: "Inngest dashboard", address: null, requestId: null };
  await db.transaction((query, prisma) => stopWithin({ query, prisma }, doer, id));
}
