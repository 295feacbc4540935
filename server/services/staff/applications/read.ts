import { z } from "zod";
import type { Query } from "@/server/db/client";
import { text } from "@/server/services/fields";
import { Refusal } from "@/server/services/refusal";
import type {
  ApplicationDetail,
  ApplicationName,
  ApplicationRow,
  ApplicationSecret,
} from "@/server/services/staff/applications/shapes";
import { quiet, trafficOf } from "@/server/services/staff/applications/traffic";
import { staffInput } from "@/server/services/staff/staff-input";
import { staffProcedure } from "@/server/services/staff/trpc";

/** Every application, by name, and nothing else of it: what a choice of one needs. */
export const nameApplications = staffProcedure.query(
  async ({ ctx: { db } }): Promise<ApplicationName[]> =>
    await db.query("SELECT id, name FROM applications ORDER BY lower(name), id"),
);

/** Every application, by name, with its traffic. */
export const listApplications = staffProcedure.query(
  async ({ ctx: { db, now } }): Promise<ApplicationRow[]> => await readRows(db.query, now, null),
);

/** One application. Throws not_found. */
export const getApplication = staffProcedure
  .input(staffInput(z.object({ id: text({ min: 1, max: 100 }) })))
  .query(async ({ input: { id }, ctx: { db, now } }): Promise<ApplicationDetail> => {
    const [[row], redirectUris, secrets] = await Promise.all([
      readRows(db.query, now, id),
      readUris(db.query, id),
      readSecrets(db.query, id),
    ]);
    if (!row) throw new Refusal({ kind: "not_found" });
    return { ...row, redirectUris, secrets };
  });

async function readRows(query: Query, now: number, id: string | null): Promise<ApplicationRow[]> {
  const [rows, traffic] = await Promise.all([
    query<Omit<ApplicationRow, "createdAt" | "traffic"> & { createdAt: Date }>(
      `SELECT p.id, p.client_id AS "clientId", p.name, p.plan::text AS plan, p.compatibility_mode AS "compatibilityMode",
  p.created_at AS "createdAt", coalesce(a.n, 0) AS accounts
FROM applications p LEFT JOIN (SELECT application_id, count(*)::int AS n FROM accounts
  WHERE revoked_at IS NULL AND ($1::text IS NULL OR application_id = $1) GROUP BY 1) a ON a.application_id = p.id
WHERE $1::text IS NULL OR p.id = $1 ORDER BY lower(p.name), p.id`,
      [id],
    ),
    trafficOf(query, now, id),
  ]);
  return rows.map((row) => ({
    ...row,
    createdAt: row.createdAt.toISOString(),
    traffic: traffic.get(row.id) ?? quiet(),
  }));
}

async function readUris(query: Query, id: string): Promise<ApplicationDetail["redirectUris"]> {
  const rows = await query<{ uri: string; createdAt: Date }>(
    'SELECT uri, created_at AS "createdAt" FROM redirect_uris WHERE application_id = $1 ORDER BY created_at, uri',
    [id],
  );
  return rows.map(({ uri, createdAt }) => ({ uri, createdAt: createdAt.toISOString() }));
}

async function readSecrets(query: Query, id: string): Promise<ApplicationSecret[]> {
  const rows = await query<{
    [Name in keyof ApplicationSecret]: Name extends "id" | "lastFour"
      ? string
      : Name extends "createdAt"
        ? Date
        : Date | null;
  }>(
    `SELECT id, last_four AS "lastFour", created_at AS "createdAt", last_used_at AS "lastUsedAt", retired_at AS "retiredAt"
FROM client_secrets WHERE application_id = $1 ORDER BY retired_at DESC NULLS FIRST, created_at DESC, id`,
    [id],
  );
  return rows.map(({ id: secret, lastFour, createdAt, lastUsedAt, retiredAt }) => ({
    id: secret,
    lastFour,
    createdAt: createdAt.toISOString(),
    lastUsedAt: lastUsedAt?.toISOString() ?? null,
    retiredAt: retiredAt?.toISOString() ?? null,
  }));
}
