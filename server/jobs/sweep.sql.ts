import { bool, float8, statement } from "@/server/db/statement";

/** The kinds of work that were found overdue. */
export interface Swept {
  notify: boolean;
  deliver: boolean;
  sync: boolean;
  push: boolean;
  replay: boolean;
}

/** `now`: the database's time, in milliseconds since 1970. */
export const overdueWork = statement<Swept & { now: number }>(
  `WITH t AS (SELECT coalesce($1::timestamptz, clock_timestamp()) - make_interval(secs => $2) AS since)
SELECT date_part('epoch', t.since) * 1000 + $2 * 1000 AS now, EXISTS (SELECT FROM outbox, t WHERE due_at <= t.since
    AND kind IN ('change', 'verification', 'profile_disconnected', 'profile_initial_sync_completed')) AS notify,
  EXISTS (SELECT FROM deliveries, t WHERE state = 'pending' AND next_attempt_at <= t.since) AS deliver,
  EXISTS (SELECT FROM profiles, t WHERE connected AND sync_due_at <= t.since
    AND (throttled_until IS NULL OR throttled_until <= t.since)) AS sync,
  EXISTS (SELECT FROM provider_writes, t WHERE refused_at IS NULL AND NOT suspended AND due_at <= t.since) AS push,
  EXISTS (SELECT FROM replays, t WHERE state = 'running' AND due_at <= t.since) AS replay FROM t`,
  { now: float8, notify: bool, deliver: bool, sync: bool, push: bool, replay: bool },
);
