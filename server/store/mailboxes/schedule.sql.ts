import { command } from "@/server/db/statement";

/** The poll stays due when it was, unless it is due by then. A sync that confirms a rejection of credentials stays due when it was. */
export const syncEarlyStatement = command(`UPDATE profile_syncs SET sync_due_at = least(sync_due_at, t.at),
  poll_due_at = CASE WHEN sync_due_at > t.at THEN coalesce(poll_due_at, sync_due_at) ELSE poll_due_at END
FROM (SELECT coalesce($3::timestamptz, clock_timestamp()) + make_interval(secs => $2::float8 / 1000) AS at) t
WHERE profile_id = ANY ($1::text[]) AND readable AND sync_due_at IS NOT NULL AND sync_error IS DISTINCT FROM 'credentials_rejected'`);

const now = "coalesce($3::timestamptz, clock_timestamp())";
const until = `${now} + make_interval(secs => $2::float8 / 1000)`;

export const pauseMailboxStatement = command(
  `UPDATE profile_syncs SET throttled_until = greatest(throttled_until, ${until}) WHERE profile_id = $1`,
);

/** A pause soon after another one goes on with it: in between, a few requests found that the provider still throttles. */
export const pauseProviderStatement =
  command(`INSERT INTO provider_pauses AS p (provider, until, since) VALUES ($1, ${until}, ${now})
ON CONFLICT (provider) DO UPDATE SET until = greatest(p.until, excluded.until),
  since = CASE WHEN p.until < excluded.since - interval '10 minutes' THEN excluded.since ELSE coalesce(p.since, excluded.since) END`);
