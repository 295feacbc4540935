import { prepared } from "@/server/db/client";
import {
  bool,
  command,
  float8,
  int4,
  jsonText,
  nullable,
  statement,
  text,
  textOf,
  timestamp,
} from "@/server/db/statement";
import type { AuthorizationOutcome } from "@/server/domain/delegations";
import { isActiveSecret } from "@/server/store/applications/applications.sql";

/** Longer than opening a mailbox and telling the callback URL take. */
const LEASE_S = 300;

export interface ClaimedAuthorization {
  id: string;
  applicationId: string;
  email: string;
  callbackUrl: string;
  state: string | null;
  /** Null: the mailbox is to be opened. */
  outcome: AuthorizationOutcome | null;
  accountId: string | null;
  profileId: string | null;
  /** Of what is to be done, counting this one. */
  attempt: number;
  createdAt: Date;
  compatibilityMode: boolean;
  clientSecrets: { id: string; sealed: string }[];
}

const isEnabled = (row: string) =>
  `(SELECT p.disabled_at IS NULL FROM applications p WHERE p.id = ${row}.application_id)`;

/**
 * Claims due authorizations, those of all applications in turns. Each is due again when its lease is over, so that one
 * whose process ends is not lost. $1: the time to judge by, $2: the most.
 */
export const claimAuthorizations = statement<ClaimedAuthorization>(
  prepared(
    "claim authorizations",
    `WITH t AS (SELECT coalesce($1::timestamptz, clock_timestamp()) AS now),
queued AS (SELECT s.id, s.due_at, row_number() OVER (PARTITION BY s.application_id ORDER BY s.due_at, s.id) AS turn
  FROM service_account_authorizations s, t WHERE s.due_at <= t.now AND ${isEnabled("s")}),
held AS (SELECT s.id FROM service_account_authorizations s JOIN queued q ON q.id = s.id, t WHERE s.due_at <= t.now
  ORDER BY q.turn, q.due_at, s.id LIMIT $2 FOR UPDATE OF s SKIP LOCKED),
claimed AS (UPDATE service_account_authorizations s SET attempts = attempts + 1, due_at = t.now + make_interval(secs => ${LEASE_S})
  FROM held, t WHERE s.id = held.id RETURNING s.*)
SELECT c.id, c.application_id AS "applicationId", c.email, c.callback_url AS "callbackUrl", c.state, c.outcome,
  c.account_id AS "accountId", c.profile_id AS "profileId", c.attempts AS attempt, c.created_at AS "createdAt",
  a.compatibility_mode AS "compatibilityMode",
  (SELECT coalesce(json_agg(json_build_object('id', s.id, 'sealed', s.sealed) ORDER BY s.created_at, s.id), '[]')
   FROM client_secrets s WHERE s.application_id = a.id AND ${isActiveSecret("(SELECT now FROM t)")}) AS "clientSecrets"
FROM claimed c JOIN applications a ON a.id = c.application_id`,
  ),
  {
    ...{ id: text, applicationId: text, email: text, callbackUrl: text, state: nullable(text) },
    ...{ outcome: nullable(textOf<AuthorizationOutcome>()), accountId: nullable(text), profileId: nullable(text) },
    ...{ attempt: int4, createdAt: timestamp, compatibilityMode: bool },
    clientSecrets: jsonText<ClaimedAuthorization["clientSecrets"]>(),
  },
);

/** In milliseconds from now. */
export const nextAuthorization = statement<{ ms: number | null }>(
  `WITH t AS (SELECT coalesce($1::timestamptz, clock_timestamp()) AS now)
SELECT date_part('epoch', (SELECT s.due_at FROM service_account_authorizations s WHERE s.due_at IS NOT NULL AND ${isEnabled("s")}
  ORDER BY s.due_at LIMIT 1) - t.now)::float8 * 1000 AS ms FROM t`,
  { ms: nullable(float8) },
);

/** SQL: rows that have been due since `t.since`. */
export const overdueAuthorizations = `SELECT FROM service_account_authorizations s WHERE s.due_at <= (SELECT since FROM t) AND ${isEnabled("s")}`;

/** Has it tried again in $4 milliseconds. Null: no more. */
export const tryAgain = command(
  `UPDATE service_account_authorizations SET due_at = coalesce($3::timestamptz, clock_timestamp()) + make_interval(secs => $4::float8 / 1000),
  last_status = $5, last_error = $6 WHERE id = $1 AND attempts = $2`,
);

/** Notes that the callback URL has accepted it. */
export const noteTold = command(
  `UPDATE service_account_authorizations SET due_at = NULL, told_at = coalesce($3::timestamptz, clock_timestamp()),
  last_status = $4, last_error = NULL WHERE id = $1 AND attempts = $2`,
);
