import { command } from "@/server/db/statement";
import { resumeStatement } from "@/server/store/provider-writes/provider-writes.sql";

/** Running reads of its mailboxes end, and no claim finds them: every claim checks `readable`. */
export const pauseSyncs = command(
  `UPDATE profile_syncs s SET readable = false FROM profiles p WHERE p.application_id = $1 AND s.profile_id = p.id AND s.readable`,
);

export const resumeSyncs = command(
  `UPDATE profile_syncs s SET readable = true FROM profiles p WHERE p.application_id = $1 AND s.profile_id = p.id AND NOT s.readable
  AND p.connected AND p.credential IS NOT NULL`,
);

export const pauseWrites = command(
  `UPDATE provider_writes w SET suspended = true FROM accounts a WHERE a.application_id = $1 AND w.account_id = a.id AND NOT w.suspended`,
);

/** Writes of a disconnected profile continue to wait for its user. */
export const resumeWrites = command(`WITH t AS (SELECT coalesce($2::timestamptz, clock_timestamp()) AS now),
held AS (SELECT w.id, w.created_at FROM provider_writes w JOIN profiles p ON p.id = w.profile_id
  WHERE p.application_id = $1 AND p.connected AND w.suspended)
${resumeStatement("held")}`);

/** They become due at no time, so the search for the next attempt skips them. An attempt in progress is finished. */
export const pauseDeliveries = command(
  `UPDATE deliveries SET next_attempt_at = NULL WHERE application_id = $1 AND state = 'pending'
  AND (leased_until IS NULL OR leased_until <= coalesce($2::timestamptz, clock_timestamp()))`,
);

/** Deliveries of paused endpoints stay held (ADR 71). */
export const resumeDeliveries = command(
  `UPDATE deliveries SET next_attempt_at = coalesce($2::timestamptz, clock_timestamp()) WHERE application_id = $1 AND state = 'pending'
  AND next_attempt_at IS NULL AND channel_id NOT IN (SELECT c.id FROM channels c JOIN accounts a ON a.id = c.account_id
    WHERE c.paused_at IS NOT NULL AND a.application_id = $1)`,
);
