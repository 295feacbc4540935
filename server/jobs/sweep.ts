import { db } from "@/server/db/client";
import { databaseTime } from "@/server/db/database-time";
import { queryOne } from "@/server/db/query-one";
import { pushing, syncing } from "@/server/jobs/provider-work";
import { noteDatabaseTime } from "@/server/jobs/wake-events";
import { workReplays } from "@/server/services/staff/deliveries/replays/work";
import { deliveries } from "@/server/webhooks/dispatcher";
import { fanOut } from "@/server/webhooks/fan-out";

/** Longer than a wake-up takes when nothing is wrong. */
const GRACE_S = 2;

const overdue = `WITH t AS (SELECT coalesce($1::timestamptz, clock_timestamp()) - make_interval(secs => $2) AS since)
SELECT date_part('epoch', t.since) * 1000 + $2 * 1000 AS now, EXISTS (SELECT FROM outbox, t WHERE due_at <= t.since
    AND kind IN ('change', 'verification', 'profile_disconnected', 'profile_initial_sync_completed')) AS notify,
  EXISTS (SELECT FROM deliveries, t WHERE state = 'pending' AND next_attempt_at <= t.since) AS deliver,
  EXISTS (SELECT FROM profiles, t WHERE connected AND sync_due_at <= t.since
    AND (throttled_until IS NULL OR throttled_until <= t.since)) AS sync,
  EXISTS (SELECT FROM provider_writes, t WHERE refused_at IS NULL AND NOT suspended AND due_at <= t.since) AS push,
  EXISTS (SELECT FROM replays, t WHERE state = 'running' AND due_at <= t.since) AS replay FROM t`;

export interface Swept {
  notify: boolean;
  deliver: boolean;
  sync: boolean;
  push: boolean;
  replay: boolean;
}

/** Does what is overdue, here and now: the rows are the truth, whatever became of the events that should have woken somebody. */
export async function sweep(): Promise<Swept> {
  const found = await queryOne<Swept & { now: number }>(db().query, overdue, [databaseTime(), GRACE_S]);
  noteDatabaseTime(found.now);
  const { notify, deliver, sync, push, replay } = found;
  if (notify) await fanOut(db());
  if (replay) await workReplays(db());
  // Not waited for: a backlog at a slow receiver or provider must not put off the next look.
  if (notify || deliver || replay) await deliveries().nudge(0);
  if (sync) await syncing().nudge(0);
  if (push) await pushing().nudge(0);
  return { notify, deliver, sync, push, replay };
}
