import { command } from "@/server/db/statement";

const until = "coalesce($3::timestamptz, clock_timestamp()) + make_interval(secs => $2::float8 / 1000)";

export const pauseMailboxStatement = command(
  `UPDATE profile_syncs SET throttled_until = greatest(throttled_until, ${until}) WHERE profile_id = $1`,
);

export const pauseProviderStatement = command(`INSERT INTO provider_pauses AS p (provider, until) VALUES ($1, ${until})
ON CONFLICT (provider) DO UPDATE SET until = greatest(p.until, excluded.until)`);
