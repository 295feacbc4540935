import { db } from "@/server/db/client";
import { databaseTime } from "@/server/db/database-time";
import { noteDatabaseTime } from "@/server/jobs/waker";
import { deliveries } from "@/server/webhooks/dispatcher";
import { fanOut } from "@/server/webhooks/fan-out";

/** Longer than a wake-up takes when nothing is wrong. */
const GRACE_S = 2;

const overdue = `WITH t AS (SELECT coalesce($1::timestamptz, clock_timestamp()) - make_interval(secs => $2) AS since)
SELECT date_part('epoch', t.since) * 1000 + $2 * 1000 AS now, EXISTS (SELECT FROM outbox, t WHERE due_at <= t.since
    AND kind IN ('change', 'verification', 'profile_disconnected', 'profile_initial_sync_completed')) AS notify,
  EXISTS (SELECT FROM deliveries, t WHERE state = 'pending' AND next_attempt_at <= t.since) AS deliver FROM t`;

interface Found {
  now: number;
  notify: boolean;
  deliver: boolean;
}

/** Does what is overdue, here and now: the rows are the truth, whatever became of the events that should have woken somebody. */
export async function sweep(): Promise<{ notify: boolean; deliver: boolean }> {
  const [found] = await db().query<Found>(overdue, [databaseTime(), GRACE_S]);
  if (found) noteDatabaseTime(found.now);
  const { notify = false, deliver = false } = found ?? {};
  if (notify) await fanOut(db());
  // Not waited for: a backlog at a slow receiver must not put off the next look.
  if (notify || deliver) await deliveries().nudge(0);
  return { notify, deliver };
}
