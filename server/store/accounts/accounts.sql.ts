import { cancelled } from "@/server/db/cancelled";
import { command } from "@/server/db/statement";

export const lockAccountStatement = command("SELECT FROM accounts WHERE id = $1 FOR NO KEY UPDATE");

export const lockLivingAccountStatement = command(
  "SELECT FROM accounts WHERE id = $1 AND revoked_at IS NULL FOR NO KEY UPDATE",
);

export const lockCalendarsOfAccount = command("SELECT FROM calendars WHERE account_id = $1 ORDER BY id FOR UPDATE");

export const cancelDeliveriesOfAccount = command(
  `UPDATE deliveries SET ${cancelled("$2")} WHERE account_id = $1 AND state = 'pending'`,
);

export const deleteOccurrences = command(
  "DELETE FROM occurrences WHERE calendar_id IN (SELECT id FROM calendars WHERE account_id = $1)",
);

export const deleteChanges = command(
  "DELETE FROM event_changes WHERE calendar_id IN (SELECT id FROM calendars WHERE account_id = $1)",
);

export const deleteEvents = command(
  "DELETE FROM events WHERE calendar_id IN (SELECT id FROM calendars WHERE account_id = $1)",
);

/** For profiles with access that can be revoked: it is ended in the background. */
export const queueRevocations =
  command(`INSERT INTO provider_revocations (profile_id, provider, subject, credential, oauth_client_id, due_at, watches)
SELECT p.id, p.provider, p.subject, p.credential, p.oauth_client_id, $2::timestamptz, coalesce((SELECT jsonb_agg(jsonb_build_object('channel', w.channel,
    'resource', w.resource, 'expiresAt', date_part('epoch', w.expires_at) * 1000)) FROM provider_watches w
  WHERE w.profile_id = p.id AND w.resource IS NOT NULL), '[]')
FROM profiles p WHERE p.account_id = $1 AND p.connected AND p.credential IS NOT NULL AND p.provider::text = ANY ($3::text[])
ON CONFLICT DO NOTHING`);
