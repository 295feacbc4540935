import { int4, json, nullable, statement, text, textOf, timestamp } from "@/server/db/statement";
import type { Provider } from "@/server/domain/providers";
import { isFailing, lateSyncs, profileOfSync } from "@/server/services/staff/accounts/mailbox-states";

/** Counting stops here for each kind: the overview then says that there are more. */
export const MOST_OF_A_KIND = 10_000;

const isWithin = "($2::text[] IS NULL OR p.application_id = ANY ($2))";

export interface TroubledGroup {
  applicationId: string;
  applicationName: string;
  state: "disconnected" | "failing" | "late";
  mailboxes: number;
  accounts: number;
  /** One of the accounts. */
  accountId: string;
  since: Date | null;
  reasons: { provider: Provider; error: string | null; count: number }[];
}

/**
 * Returns the condition for rare ones, through an index that contains nothing else: PostgreSQL without statistics would
 * read all. `OFFSET 0`: it would otherwise read all rows of an application. At most that many are put into an array.
 */
const isFoundFirst = (id: string, rare: string) =>
  `${id} = ANY (ARRAY(SELECT q.id FROM (${rare} OFFSET 0) q WHERE ($2::text[] IS NULL OR q.application_id = ANY ($2)) LIMIT ${MOST_OF_A_KIND}))`;

/**
 * The mailboxes with sync problems, by application and kind, the largest groups of a kind first. $1: the time. $2: the
 * applications; null: all.
 */
export const troubledMailboxes = statement<TroubledGroup>(
  `WITH troubled AS (
  (SELECT 1 AS rank, 'disconnected' AS state, p.application_id, p.account_id, p.provider, s.sync_error AS error, p.disconnected_at AS since
    FROM profiles p CROSS JOIN LATERAL (SELECT sync_error FROM profile_syncs WHERE profile_id = p.id OFFSET 0) s WHERE NOT p.connected AND ${isFoundFirst("p.account_id", "SELECT account_id AS id, application_id FROM profiles WHERE NOT connected")} AND ${isWithin} LIMIT ${MOST_OF_A_KIND})
  UNION ALL
  (SELECT 2, 'failing', p.application_id, p.account_id, p.provider, s.sync_error, coalesce(s.last_sync_at, p.created_at)
    FROM profile_syncs s ${profileOfSync} WHERE ${isFailing("s")} AND ${isFoundFirst("s.profile_id", `SELECT profile_id AS id, application_id FROM profile_syncs s WHERE ${isFailing("s")}`)} AND ${isWithin} LIMIT ${MOST_OF_A_KIND})
  UNION ALL
  (SELECT 3, 'late', p.application_id, p.account_id, p.provider,
      CASE WHEN s.throttled_until > $1 OR EXISTS (SELECT FROM provider_pauses q WHERE q.provider = p.provider AND q.until > $1) THEN 'throttled' END,
      s.sync_due_at
    FROM ${lateSyncs("$1::timestamptz")} ${profileOfSync} WHERE ${isWithin} LIMIT ${MOST_OF_A_KIND})),
reasons AS (SELECT rank, state, application_id, provider, error, count(*)::int AS count FROM troubled GROUP BY 1, 2, 3, 4, 5),
ranked AS (SELECT rank, state, application_id, jsonb_agg(jsonb_build_object('provider', provider, 'error', error, 'count', count)
  ORDER BY count DESC, provider, error) AS reasons FROM reasons GROUP BY 1, 2, 3)
SELECT a.id AS "applicationId", a.name AS "applicationName", t.state, t.mailboxes, t.accounts, t.account_id AS "accountId", t.since, r.reasons
FROM (SELECT rank, state, application_id, count(*)::int AS mailboxes, count(DISTINCT account_id)::int AS accounts, min(account_id) AS account_id,
  min(since) AS since FROM troubled GROUP BY 1, 2, 3) t
JOIN ranked r ON r.state = t.state AND r.application_id = t.application_id JOIN applications a ON a.id = t.application_id
ORDER BY t.rank, t.mailboxes DESC, a.id`,
  {
    applicationId: text,
    applicationName: text,
    state: textOf<TroubledGroup["state"]>(),
    mailboxes: int4,
    accounts: int4,
    accountId: text,
    since: nullable(timestamp),
    reasons: json<TroubledGroup["reasons"]>(),
  },
);
