import { int4, json, nullable, oneOf, statement, timestamp } from "@/server/db/statement";
import type { Provider } from "@/server/domain/providers";
import { isFailing } from "@/server/services/staff/accounts/mailbox-states";

/** Counting stops there: nobody acts on the difference, and each figure reads a bounded number of rows. */
export const MOST_COUNTED = 10_000;

/** For how long a provider counts as throttling after it has refused requests of everybody without a time. */
const LIMITED_FOR = "interval '1 minute'";

export interface ProviderFigures {
  provider: Provider;
  mailboxes: number;
  /** Connected, and not read for the first time yet. */
  firstSyncs: number;
  /** Of the counted mailboxes, those with a push subscription that is alive. */
  pushes: number;
  lastReadAt: Date | null;
  pausedSince: Date | null;
  pausedUntil: Date | null;
}

/**
 * The figures of the providers $2 at $1. The mailboxes that are due last come first: they were read last. `OFFSET 0` and
 * `LIMIT 1`: PostgreSQL without statistics would otherwise read all of a table.
 */
export const providerFigures = statement<ProviderFigures>(
  `SELECT e.provider, read.mailboxes, first.mailboxes AS "firstSyncs", read.pushes, read."lastReadAt",
  least(q.since, b.since) AS "pausedSince", greatest(q.until, b.cut_at + ${LIMITED_FOR}) AS "pausedUntil"
FROM unnest($2::provider[]) AS e(provider)
CROSS JOIN LATERAL (SELECT count(*)::int AS mailboxes, count(w.alive)::int AS pushes, max(s.last_sync_at) AS "lastReadAt"
  FROM (SELECT profile_id, last_sync_at FROM profile_syncs WHERE provider = e.provider AND readable AND NOT first_sync
    ORDER BY sync_due_at DESC LIMIT ${MOST_COUNTED} OFFSET 0) s
  LEFT JOIN LATERAL (SELECT true AS alive FROM provider_watches
    WHERE profile_id = s.profile_id AND resource IS NOT NULL AND (expires_at IS NULL OR expires_at > $1) LIMIT 1) w ON true) read
CROSS JOIN LATERAL (SELECT count(*)::int AS mailboxes FROM (SELECT FROM profile_syncs
  WHERE provider = e.provider AND readable AND first_sync LIMIT ${MOST_COUNTED} OFFSET 0) f) first
LEFT JOIN provider_pauses q ON q.provider = e.provider AND q.until > $1
LEFT JOIN provider_budgets b ON b.quota = CASE e.provider WHEN 'outlook' THEN 'microsoft' ELSE e.provider::text END AND b.cut_at > $1 - ${LIMITED_FOR}`,
  {
    ...{ provider: oneOf<Provider>(), mailboxes: int4, firstSyncs: int4, pushes: int4 },
    ...{ lastReadAt: nullable(timestamp), pausedSince: nullable(timestamp), pausedUntil: nullable(timestamp) },
  },
);

/**
 * The mailboxes that several syncs in a row could not read, by provider, and since when the first of them. `unreached`:
 * those that the provider doesn't respond for. It isn't to blame for refusing an application's own OAuth client.
 */
export const failingMailboxes = statement<{
  provider: Provider;
  count: number;
  unreached: number;
  since: Date;
  errors: { error: string | null; count: number }[];
}>(
  `WITH failing AS (SELECT s.provider, s.sync_error AS error, coalesce(s.last_sync_at, p.created_at) AS since,
    s.sync_error = 'down' OR s.sync_error = 'misconfigured' AND p.oauth_client_id IS NULL AS is_unreached
  FROM (SELECT * FROM profile_syncs s WHERE ${isFailing("s")} LIMIT ${MOST_COUNTED}) s
  CROSS JOIN LATERAL (SELECT created_at, oauth_client_id FROM profiles WHERE id = s.profile_id OFFSET 0) p),
grouped AS (SELECT provider, error, count(*)::int AS count, count(*) FILTER (WHERE is_unreached)::int AS unreached, min(since) AS since
  FROM failing GROUP BY 1, 2)
SELECT provider, sum(count)::int AS count, sum(unreached)::int AS unreached, min(since) AS since,
  jsonb_agg(jsonb_build_object('error', error, 'count', count) ORDER BY count DESC, error) AS errors FROM grouped GROUP BY 1`,
  {
    ...{ provider: oneOf<Provider>(), count: int4, unreached: int4, since: timestamp },
    errors: json<{ error: string | null; count: number }[]>(),
  },
);

/** The mailboxes for which a provider wants no requests at $1, and until when the last of them. */
export const throttledMailboxes = statement<{ provider: Provider; count: number; until: Date }>(
  `SELECT provider, count(*)::int AS count, max(throttled_until) AS until
FROM (SELECT provider, throttled_until FROM profile_syncs WHERE throttled_until > $1 AND readable LIMIT ${MOST_COUNTED}) s GROUP BY 1`,
  { provider: oneOf<Provider>(), count: int4, until: timestamp },
);

/** The writes to providers that wait, and since when the first of them is due. Those of disconnected profiles don't wait. */
export const waitingWrites = statement<{ provider: Provider; count: number; dueSince: Date }>(
  `SELECT s.provider, count(*)::int AS count, min(w.due_at) AS "dueSince"
FROM (SELECT profile_id, due_at FROM provider_writes WHERE refused_at IS NULL AND NOT suspended AND due_at IS NOT NULL
  ORDER BY due_at LIMIT ${MOST_COUNTED}) w
CROSS JOIN LATERAL (SELECT provider FROM profile_syncs WHERE profile_id = w.profile_id OFFSET 0) s GROUP BY 1`,
  { provider: oneOf<Provider>(), count: int4, dueSince: timestamp },
);
