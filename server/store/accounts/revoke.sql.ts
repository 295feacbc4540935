import { cancelled } from "@/server/db/cancelled";
import { command, statement, text } from "@/server/db/statement";

export const markRevoked = statement<{ id: string }>(
  "UPDATE accounts SET revoked_at = $2 WHERE id = $1 AND revoked_at IS NULL RETURNING id",
  { id: text },
);

export const lockCalendarsOfAccount = command("SELECT FROM calendars WHERE account_id = $1 ORDER BY id FOR UPDATE");

export const deleteCodes = command("DELETE FROM codes WHERE account_id = $1");

export const deleteGrants = command("DELETE FROM grants WHERE account_id = $1");

export const deleteLinkTokens = command("DELETE FROM link_tokens WHERE account_id = $1");

export const cancelDeliveriesOfAccount = command(
  `UPDATE deliveries SET ${cancelled("$2")} WHERE account_id = $1 AND state = 'pending'`,
);

export const closeChannelsOfAccount = command(
  "UPDATE channels SET closed_at = $2, closed_by = 'revoke' WHERE account_id = $1 AND closed_at IS NULL",
);

export const deleteSignals = command("DELETE FROM outbox WHERE account_id = $1");

export const deleteOccurrences = command(
  "DELETE FROM occurrences WHERE calendar_id IN (SELECT id FROM calendars WHERE account_id = $1)",
);

export const deleteEvents = command(
  "DELETE FROM events WHERE calendar_id IN (SELECT id FROM calendars WHERE account_id = $1)",
);

export const deleteCalendars = command("DELETE FROM calendars WHERE account_id = $1");

/** Of profiles that can still be asked for something: their access is ended in the background. */
export const queueRevocations =
  command(`INSERT INTO provider_revocations (profile_id, provider, subject, credential, due_at, watches)
SELECT p.id, p.provider, p.subject, p.credential, $2::timestamptz, coalesce((SELECT jsonb_agg(jsonb_build_object('channel', w.channel,
    'resource', w.resource, 'expiresAt', date_part('epoch', w.expires_at) * 1000)) FROM provider_watches w
  WHERE w.profile_id = p.id AND w.resource IS NOT NULL), '[]')
FROM profiles p WHERE p.account_id = $1 AND p.connected AND p.credential IS NOT NULL AND p.provider::text = ANY ($3::text[])
ON CONFLICT DO NOTHING`);

export const deleteProfiles = command("DELETE FROM profiles WHERE account_id = $1");
