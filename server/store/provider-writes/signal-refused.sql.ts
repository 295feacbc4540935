import { command } from "@/server/db/statement";

/**
 * Signals that the write $1 was refused or given up for the reason $3, if it just was and a channel of its account wants to
 * know. $2: the time; null: now.
 */
export const signalRefused = command(
  `INSERT INTO outbox (kind, account_id, subject, payload, due_at)
SELECT 'write_refused', w.account_id, w.event_row, jsonb_build_object('refused', jsonb_strip_nulls(jsonb_build_object(
    'calendar_id', w.calendar_id, 'event_uid', coalesce(e.first_uid, e.id), 'event_id', e.event_id, 'reason', $3::text))), coalesce($2::timestamptz, clock_timestamp())
FROM provider_writes w JOIN events e ON e.calendar_id = w.calendar_id AND e.id = w.event_row
WHERE w.id = $1::bigint AND w.refused_at IS NOT NULL
  AND EXISTS (SELECT FROM channels c WHERE c.account_id = w.account_id AND c.closed_at IS NULL AND c.write_refused)`,
);
