import type { Database } from "@/server/db/client";
import { databaseNow } from "@/server/db/database-time.sql";
import { runOne } from "@/server/db/statement";
import type { Instant } from "@/server/domain/time/instant";
import { sendAlerts } from "@/server/services/staff/alerts/send";
import { watchAlerts } from "@/server/services/staff/alerts/watch";

/** A run checks every minute. After this long without one, the Inngest server that should have called for it is away. */
const LATE_MS = 90_000;

/** Of several processes whose crons tick in a minute, the first checks. */
const NEAR_MS = 30_000;

/** Records what staff and developers want to be alerted to, and when it was last checked. */
export async function lookForAlerts(db: Database): Promise<void> {
  const now = await timeOf(db);
  if (await claimLook(db, now, NEAR_MS)) await watchAlerts(db, now);
}

/** Sends due alerts. Returns how many could not be sent. */
export async function sendDueAlerts(db: Database): Promise<number> {
  return (await sendAlerts(db, await timeOf(db))).length;
}

/** Checks and sends if that is late. Of many processes that find it late, one does it. */
export async function lookIfLate(db: Database): Promise<void> {
  const now = await timeOf(db);
  if (!(await claimLook(db, now, LATE_MS))) return;
  await watchAlerts(db, now);
  await sendDueAlerts(db);
}

/** Claims the check, unless one was made within so many milliseconds. */
async function claimLook(db: Database, now: Instant, afterMs: number): Promise<boolean> {
  const where = { lookedAt: { lt: new Date(now - afterMs) } };
  const { count } = await db.prisma.alertLook.updateMany({ where, data: { lookedAt: new Date(now) } });
  return count > 0;
}

async function timeOf(db: Database): Promise<Instant> {
  return (await runOne(db.query, databaseNow)).now as Instant;
}
