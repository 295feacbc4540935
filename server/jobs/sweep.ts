import { db } from "@/server/db/client";
import { databaseTime } from "@/server/db/database-time";
import { deliveries } from "@/server/webhooks/dispatcher";
import { fanOut } from "@/server/webhooks/fan-out";

/** Longer than a wake-up takes when nothing is wrong. */
const GRACE_S = 2;

const overdue = `WITH t AS (SELECT coalesce($1::timestamptz, clock_timestamp()) - make_interval(secs => $2) AS since)
SELECT EXISTS (SELECT FROM outbox, t WHERE due_at <= t.since
    AND kind IN ('change', 'verification', 'profile_disconnected', 'profile_initial_sync_completed')) AS notify,
  EXISTS (SELECT FROM deliveries, t WHERE state = 'pending' AND next_attempt_at <= t.since) AS deliver`;

/** Does what is overdue, here and now: the rows are the truth, whatever became of the events that should have woken somebody. */
export async function sweep(): Promise<{ notify: boolean; deliver: boolean }> {
  const [found] = await db().query<{ notify: boolean; deliver: boolean }>(overdue, [databaseTime(), GRACE_S]);
  const { notify = false, deliver = false } = found ?? {};
  if (notify) await fanOut(db());
  // Not waited for: a backlog at a slow receiver must not put off the next look.
  if (notify || deliver) await deliveries().drain(0);
  return { notify, deliver };
}
