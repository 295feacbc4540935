import type { Database } from "@/server/db/client";
import { databaseNow } from "@/server/db/database-time.sql";
import { runOne } from "@/server/db/statement";
import type { Instant } from "@/server/domain/time/instant";
import { sendAlerts } from "@/server/services/staff/alerts/send";
import { watchAlerts } from "@/server/services/staff/alerts/watch";

/** A run looks every minute. Nobody has for so long: an Inngest server that should have called for it is away. */
const LATE_MS = 90_000;

/** Notes what staff and developers want to be alerted to, and that it was looked at. */
export async function lookForAlerts(db: Database): Promise<void> {
  const now = await timeOf(db);
  await db.prisma.alertLook.updateMany({ data: { lookedAt: new Date(now) } });
  await watchAlerts(db, now);
}

/** Sends what is due. Gives how many could not be sent. */
export async function sendDueAlerts(db: Database): Promise<number> {
  return (await sendAlerts(db, await timeOf(db))).length;
}

/** Does both if that is late. Of many processes that find it so, one does it. */
export async function lookIfLate(db: Database): Promise<void> {
  const now = await timeOf(db);
  const where = { lookedAt: { lt: new Date(now - LATE_MS) } };
  const { count } = await db.prisma.alertLook.updateMany({ where, data: { lookedAt: new Date(now) } });
  if (count === 0) return;
  await watchAlerts(db, now);
  await sendDueAlerts(db);
}

async function timeOf(db: Database): Promise<Instant> {
  return (await runOne(db.query, databaseNow)).now as Instant;
}
