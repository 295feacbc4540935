import { deletingBatch } from "@/server/db/batches";
import { bool, command, int4, json, nullable, statement, text, textOf, texts, timestamp } from "@/server/db/statement";
import type { AlertFormat, AlertKind, AlertWay } from "@/server/domain/alerts/alerts";
import type { Thresholds } from "@/server/domain/alerts/thresholds";
import type { AlertBody } from "@/server/services/staff/alerts/message";
import type { StoredAlertUrl } from "@/server/store/sealing/alert-urls";

export interface StoredRule extends Thresholds {
  scope: string;
  kind: AlertKind;
  email: boolean;
  webhook: boolean;
  quietMinutes: number;
}

/** Rules that alert somebody. */
export const activeRules = statement<StoredRule>(
  `SELECT r.scope, r.kind, r.email, r.webhook AND t.sealed_secret IS NOT NULL AS webhook, r.quiet_minutes AS "quietMinutes",
  r.threshold, r.least_requests AS "leastRequests"
FROM alert_rules r LEFT JOIN alert_targets t ON t.scope = r.scope WHERE r.email OR r.webhook`,
  {
    ...{ scope: text, kind: textOf<AlertKind>(), email: bool, webhook: bool, quietMinutes: int4 },
    ...{ threshold: nullable(int4), leastRequests: nullable(int4) },
  },
);

export const storeAlerts =
  command(`INSERT INTO alerts (scope, kind, subject, facts, since, notified_at, announced, ended_at)
SELECT * FROM jsonb_to_recordset($1::jsonb) AS a(scope text, kind text, subject text, facts jsonb, since timestamptz, notified_at timestamptz,
  announced boolean, ended_at timestamptz)
ON CONFLICT (scope, kind, subject) DO UPDATE SET facts = excluded.facts, since = excluded.since, notified_at = excluded.notified_at,
  announced = excluded.announced, ended_at = excluded.ended_at`);

/** Alerts that ended before a time, and those without a rule. */
export const forgetAlerts = command(`DELETE FROM alerts a WHERE ended_at < $1
OR NOT EXISTS (SELECT FROM alert_rules r WHERE r.scope = a.scope AND r.kind = a.kind AND (r.email OR r.webhook))`);

export const insertMessages = command(`INSERT INTO alert_messages (id, scope, way, body, created_at, due_at)
SELECT id, scope, way, body, $2, $2 FROM jsonb_to_recordset($1::jsonb) AS m(id text, scope text, way text, body jsonb)`);

export interface ClaimedMessage {
  id: string;
  scope: string;
  way: AlertWay;
  body: AlertBody;
  attempt: number;
  createdAt: Date;
}

/**
 * Claims due messages for an attempt: each is due again when this attempt would be over, so that a message whose
 * process ends is not lost. $3: one message only.
 */
export const claimMessages = statement<ClaimedMessage>(
  `WITH due AS (SELECT id FROM alert_messages WHERE due_at <= $1 AND ($3::text IS NULL OR id = $3) ORDER BY due_at LIMIT 20 FOR UPDATE SKIP LOCKED)
UPDATE alert_messages m SET attempts = attempts + 1, due_at = $1::timestamptz + make_interval(secs => $2) FROM due WHERE m.id = due.id
RETURNING m.id, m.scope, m.way, m.body, m.attempts AS attempt, m.created_at AS "createdAt"`,
  { id: text, scope: text, way: textOf<AlertWay>(), body: json<AlertBody>(), attempt: int4, createdAt: timestamp },
);

/** The developers of an application who may sign in. */
export const developerEmails = statement<{ emails: string[] }>(
  `SELECT coalesce(array_agg(o.email ORDER BY o.email), '{}') AS emails FROM application_members m JOIN operators o ON o.id = m.operator_id
WHERE m.application_id = $1 AND o.disabled_at IS NULL`,
  { emails: texts },
);

export const dropMessages = statement<{ n: number }>(deletingBatch("alert_messages", "created_at < $1"), { n: int4 });

export const upsertRules =
  command(`INSERT INTO alert_rules (scope, kind, email, webhook, quiet_minutes, threshold, least_requests)
SELECT $1, kind, email, webhook, "quietMinutes", threshold, "leastRequests"
FROM jsonb_to_recordset($2::jsonb) AS r(kind text, email boolean, webhook boolean, "quietMinutes" int, threshold int, "leastRequests" int)
ON CONFLICT (scope, kind) DO UPDATE SET email = excluded.email, webhook = excluded.webhook, quiet_minutes = excluded.quiet_minutes,
  threshold = excluded.threshold, least_requests = excluded.least_requests`);

/** Inserts nothing if that many tests were sent since a time. */
export const insertTest = statement<{ id: string }>(
  `INSERT INTO alert_messages (id, scope, way, body, created_at, due_at)
SELECT $1, $2, $3, $4::jsonb, $5::timestamptz, $5::timestamptz WHERE (SELECT count(*) FROM alert_messages m
  WHERE m.scope = $2 AND m.created_at > $6 AND m.body ->> 'state' = 'test') < $7 RETURNING id`,
  { id: text },
);

export const lockTarget = statement<StoredAlertUrl & { format: AlertFormat }>(
  `SELECT scope, webhook_url AS "webhookUrl", sealed_url AS "sealedUrl", sealed_secret AS "sealedSecret", webhook_format AS format
FROM alert_targets WHERE scope = $1 FOR UPDATE`,
  {
    ...{ scope: text, webhookUrl: nullable(text), sealedUrl: nullable(text), sealedSecret: nullable(text) },
    format: textOf<AlertFormat>(),
  },
);
