import { command } from "@/server/db/statement";

/** The poll stays due when it was, unless it is due by then. A sync that confirms a rejection of credentials stays due when it was. */
export const syncEarlyStatement = command(`UPDATE profile_syncs SET sync_due_at = least(sync_due_at, t.at),
  poll_due_at = CASE WHEN sync_due_at > t.at THEN coalesce(poll_due_at, sync_due_at) ELSE poll_due_at END
FROM (SELECT coalesce($3::timestamptz, clock_timestamp()) + make_interval(secs => $2::float8 / 1000) AS at) t
WHERE profile_id = ANY ($1::text[]) AND readable AND sync_due_at IS NOT NULL AND sync_error IS DISTINCT FROM 'credentials_rejected'`);

const until = "coalesce($3::timestamptz, clock_timestamp()) + make_interval(secs => $2::float8 / 1000)";

export const pauseMailboxStatement = command(
  `UPDATE profile_syncs SET throttled_until = greatest(throttled_until, ${until}) WHERE profile_id = $1`,
);

export const pauseProviderStatement = command(`INSERT INTO provider_pauses AS p (provider, until) VALUES ($1, ${until})
ON CONFLICT (provider) DO UPDATE SET until = greatest(p.until, excluded.until)`);
