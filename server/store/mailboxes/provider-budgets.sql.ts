import { float8, idOf, nullable, statement, text } from "@/server/db/statement";
import { BURST_SHARE, type Quota } from "@/server/domain/provider-quotas";

export interface StoredBudget {
  /** Requests that may be sent at once. Below 0: so many too many were sent. */
  level: number;
  /** Of the configured rate, what is used now. */
  share: number;
}

interface SharedBudget extends StoredBudget {
  closedMs: number;
}

/** From nothing to the whole rate. */
const RECOVERY_S = 600;
/** Requests in progress are refused together: that cuts the rate once. */
const ONE_CUT = "interval '10 seconds'";
const LEAST_SHARE = "1.0 / 64";
/** Cuts that are no further apart follow one another. */
const FOLLOWING = "interval '10 minutes'";

const now = (time: string) => `coalesce(${time}::timestamptz, clock_timestamp())`;
const shareAt = (time: string) =>
  `CASE WHEN b.cut_at IS NULL THEN 1 ELSE least(1, b.share + greatest(0, date_part('epoch', ${time} - b.cut_at)) / ${RECOVERY_S}) END`;
const burst = (perMinute: string, share: string) => `greatest(1, ${perMinute}::float8 * ${BURST_SHARE} * ${share})`;
/** A debt of more than a minute is forgiven. */
const levelAt = (
  perMinute: string,
  time: string,
) => `greatest(-${perMinute}::float8, least(${burst(perMinute, shareAt(time))},
    b.level + greatest(0, date_part('epoch', ${time} - b.at)) * ${perMinute}::float8 * ${1 - BURST_SHARE} / 60 * ${shareAt(time)}))`;

/** For how many milliseconds one of some providers wants no requests. */
const closedMs = (
  providers: string,
  time: string,
) => `coalesce((SELECT greatest(0, date_part('epoch', max(q.until) - ${time}) * 1000)
    FROM provider_pauses q WHERE q.provider::text = ANY (${providers}::text[])), 0)::float8 AS "closedMs"`;

/** Statements may be carried out in another order than their times. A clock that was set back starts anew. */
const later =
  "CASE WHEN b.at > excluded.at + interval '1 minute' THEN excluded.at ELSE greatest(b.at, excluded.at) END";

const columns = { level: float8, share: float8 };
const shared = { ...columns, closedMs: float8 };

/** Takes what was sent from the budget of a quota, and returns what is left. */
export const settleBudget = statement<SharedBudget>(
  `INSERT INTO provider_budgets AS b (quota, level, at) VALUES ($1, ${burst("$3", "1")} - $2::float8, ${now("$4")})
ON CONFLICT (quota) DO UPDATE SET level = ${levelAt("$3", "excluded.at")} - $2::float8, at = ${later}
RETURNING level, (${shareAt("b.at")})::float8 AS share, ${closedMs("$5", "b.at")}`,
  shared,
);

/** Halves the rate of a quota, which then recovers, and leaves nothing to be sent at once. */
export const cutBudget = statement<SharedBudget>(
  `INSERT INTO provider_budgets AS b (quota, level, at, share, cut_at, since) VALUES ($1, 0, ${now("$2")}, 0.5, ${now("$2")}, ${now("$2")})
ON CONFLICT (quota) DO UPDATE SET level = least(b.level, 0), at = ${later},
  share = CASE WHEN b.cut_at > excluded.at - ${ONE_CUT} THEN b.share ELSE greatest(${LEAST_SHARE}, (${shareAt("excluded.at")}) / 2) END,
  cut_at = CASE WHEN b.cut_at > excluded.at - ${ONE_CUT} THEN b.cut_at ELSE excluded.at END,
  since = CASE WHEN b.cut_at > excluded.at - ${FOLLOWING} THEN b.since ELSE excluded.at END
RETURNING level, (${shareAt("b.at")})::float8 AS share, ${closedMs("$3", "b.at")}`,
  shared,
);

/** Whose budget it is: of an application's own OAuth client, or of the installation. */
export interface BudgetOwner {
  quota: Quota;
  applicationId: string | null;
  /** As the provider knows it. */
  clientId: string | null;
}

/**
 * The budgets of the installation at quotas and their rates a minute, each in an array, and of the applications' own
 * clients that have sent any request there.
 */
export const readBudgets = statement<StoredBudget & BudgetOwner>(
  `WITH quotas AS (SELECT * FROM unnest($1::text[], $2::float8[]) AS u(quota, per_minute)),
owners AS (SELECT quota, per_minute, quota AS name, NULL::text AS application_id, NULL::text AS client_id FROM quotas
  UNION ALL SELECT q.quota, q.per_minute, c.id, c.application_id, c.client_id
  FROM oauth_clients c JOIN provider_budgets used ON used.quota = c.id JOIN quotas q ON q.quota = c.provider::text)
SELECT q.quota, q.application_id AS "applicationId", q.client_id AS "clientId",
  coalesce(${levelAt("q.per_minute", now("$3"))}, ${burst("q.per_minute", "1")})::float8 AS level,
  (${shareAt(now("$3"))})::float8 AS share
FROM owners q LEFT JOIN provider_budgets b ON b.quota = q.name ORDER BY q.application_id NULLS FIRST, q.quota`,
  { ...columns, quota: idOf<Quota>(), applicationId: nullable(text), clientId: nullable(text) },
);
