import { bool, command, int4, int4s, nullable, oneOf, statement, text, timestamp } from "@/server/db/statement";
import { VISITORS_APPLICATION } from "@/server/domain/visitors";
import type { ApplicationName, ApplicationRow } from "@/server/services/staff/applications/shapes";

/**
 * Selects customers' applications, without that of the documentation's visitors, which the service creates and shows to
 * whoever asks for its id.
 */
const isCustomers = (p: string) => `${p}.id <> '${VISITORS_APPLICATION}'`;

/** The names of some applications, or of all customers'. */
export const applicationNames = statement<ApplicationName>(
  `SELECT p.id, p.name FROM applications p WHERE $1::text[] IS NULL AND ${isCustomers("p")} OR p.id = ANY ($1) ORDER BY lower(p.name), p.id`,
  { id: text, name: text },
);

type StoredApplication = Omit<ApplicationRow, "createdAt" | "disabledAt" | "traffic"> & {
  createdAt: Date;
  disabledAt: Date | null;
};

/** All customers' applications, or some. */
export const applicationRows = statement<StoredApplication>(
  `SELECT p.id, p.client_id AS "clientId", p.name, p.plan, p.compatibility_mode AS "compatibilityMode",
  p.edit_foreign_events AS "editForeignEvents", p.mcp_writes AS "mcpWrites", p.public_client AS "publicClient",
  p.connect_success_page AS "connectSuccessPage", p.self_registered AS "selfRegistered",
  p.created_at AS "createdAt", p.disabled_at AS "disabledAt", p.deleted_at IS NOT NULL AS "isDeleted", coalesce(a.n, 0) AS accounts
FROM applications p LEFT JOIN (SELECT application_id, count(*)::int AS n FROM accounts
  WHERE revoked_at IS NULL AND ($1::text[] IS NULL OR application_id = ANY ($1)) GROUP BY 1) a ON a.application_id = p.id
WHERE $1::text[] IS NULL AND ${isCustomers("p")} OR p.id = ANY ($1) ORDER BY lower(p.name), p.id`,
  {
    id: text,
    clientId: text,
    name: text,
    plan: oneOf<ApplicationRow["plan"]>(),
    compatibilityMode: bool,
    editForeignEvents: bool,
    mcpWrites: bool,
    publicClient: bool,
    connectSuccessPage: bool,
    selfRegistered: bool,
    createdAt: timestamp,
    disabledAt: nullable(timestamp),
    isDeleted: bool,
    accounts: int4,
  },
);

export interface StoredTraffic {
  id: string;
  /** The hours after the first one; `requests` are their counts, in the same order. */
  hours: number[];
  requests: number[];
  errors: number;
  throttled: number;
}

export const trafficSince = statement<StoredTraffic>(
  `SELECT application_id AS id, array_agg((date_part('epoch', hour - $1::timestamptz) / 3600)::int) AS hours, array_agg(requests) AS requests,
  sum(client_errors + server_errors)::int AS errors, sum(throttled)::int AS throttled
FROM request_counts_by_hour WHERE hour >= $1::timestamptz AND ($2::text[] IS NULL OR application_id = ANY ($2)) GROUP BY 1`,
  { id: text, hours: int4s, requests: int4s, errors: int4, throttled: int4 },
);

/** Users are offered the servers in the order in which they were added, even those of one moment. */
export const insertCaldavServer = command(
  `INSERT INTO caldav_servers (id, application_id, name, url, help, created_at)
SELECT $1, $2, $3, $4, $5, greatest($6, max(created_at) + interval '1 microsecond') FROM caldav_servers WHERE application_id = $2`,
);

export const lockStates = statement<{ name: string; isDisabled: boolean; isDeleted: boolean }>(
  `SELECT name, disabled_at IS NOT NULL AS "isDisabled", deleted_at IS NOT NULL AS "isDeleted" FROM applications WHERE id = $1
FOR NO KEY UPDATE`,
  { name: text, isDisabled: bool, isDeleted: bool },
);

/** The client ID is kept longer than the application, so that a start does not register it again. */
export const setDeleted = command(
  `WITH deleted AS (UPDATE applications SET deleted_at = $2 WHERE id = $1 RETURNING client_id, deleted_at)
INSERT INTO deleted_client_ids (client_id, deleted_at) SELECT client_id, deleted_at FROM deleted
ON CONFLICT (client_id) DO UPDATE SET deleted_at = excluded.deleted_at`,
);
