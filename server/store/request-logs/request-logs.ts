import { dropBatches, type GoesOn } from "@/server/db/batches";
import type { Database } from "@/server/db/client";
import { databaseFault } from "@/server/db/faults";
import { run } from "@/server/db/statement";
import { endpointOf } from "@/server/domain/endpoints";
import { REQUESTS_KEPT_DAYS } from "@/server/domain/retention";
import { type Day, formatDay } from "@/server/domain/time/day";
import type { Instant } from "@/server/domain/time/instant";
import { dayOf } from "@/server/domain/time/utc-day";
import { ensurePartition, forgetPartitions } from "@/server/store/request-logs/partitions";
import {
  addCounts,
  dropCounts,
  dropHourCounts,
  dropTallies,
  insertRequests,
} from "@/server/store/request-logs/request-logs.sql";

const DAY_MS = 86_400_000;
/** From the beginning of an hour to its last minute. */
const LAST_MINUTE_MS = 59 * 60_000;

/** A row as it is stored; `id` is our own, since a request id may be the caller's and is not unique. */
export interface StoredRequest {
  id: string;
  requestId: string;
  at: Date;
  method: string;
  path: string;
  query: string | null;
  status: number;
  durationMs: number;
  applicationId: string | null;
  accountId: string | null;
  address: string | null;
  errorKeys: string[];
  /** The keys of the events that it was to write (server/domain/event-keys.ts). */
  eventKeys?: readonly string[];
  requestHeaders: object;
  requestBody: unknown;
  responseHeaders: object;
  responseBody: unknown;
  plan: "developer" | "standard" | null;
}

/** The requests of one application (empty: of no known one) in one minute. */
export interface MinuteCount {
  minute: Date;
  applicationId: string;
  requests: number;
  clientErrors: number;
  serverErrors: number;
  throttled: number;
}

/** Counts requests without a row. A batch that is sent again, under the same id, is counted once. */
export async function countRequests(
  db: Database,
  batch: { id: string; counts: readonly MinuteCount[] },
): Promise<void> {
  const rows = batch.counts.map(({ applicationId, clientErrors, serverErrors, ...row }) => ({
    ...row,
    application_id: applicationId,
    client_errors: clientErrors,
    server_errors: serverErrors,
    not_stored: row.requests,
  }));
  await run(db.query, addCounts, [batch.id, JSON.stringify(rows)]);
}

/** Stores a batch, creating the partitions of its days first. Leaves rows that are stored already unchanged. */
export async function storeRequests(db: Database, rows: readonly StoredRequest[]): Promise<void> {
  const stored = rows.map(columns);
  const write = async () => {
    for (const day of new Set(rows.map(expiry))) await ensurePartition(db, day);
    await run(db.query, insertRequests, [JSON.stringify(stored)]);
  };
  try {
    await write();
  } catch (error) {
    // PostgreSQL's error for a row without a partition.
    if (databaseFault(error) !== "check_violation") throw error;
    forgetPartitions(); // a process whose clock is ahead has dropped one that this one created
    await write();
  }
}

/**
 * Drops the counts of minutes that ended over 30 days ago, and of hours all of whose minutes did. Returns true after a
 * piece, when there may be more.
 */
export async function dropOldCounts(db: Database, now: Instant, goesOn: GoesOn = () => true): Promise<boolean> {
  const before = now - REQUESTS_KEPT_DAYS.standard * DAY_MS;
  return await dropBatches({ query: db.query, goesOn }, [
    [dropTallies, new Date(now - DAY_MS)],
    [dropCounts, new Date(before)],
    [dropHourCounts, new Date(before - LAST_MINUTE_MS)],
  ]);
}

function columns(row: StoredRequest) {
  return {
    id: row.id,
    request_id: row.requestId,
    at: row.at,
    method: row.method,
    path: row.path,
    endpoint: endpointOf(row.path),
    query: row.query,
    status: row.status,
    duration_ms: row.durationMs,
    application_id: row.applicationId,
    account_id: row.accountId,
    address: row.address,
    error_keys: row.errorKeys,
    event_keys: row.eventKeys?.length ? row.eventKeys : undefined,
    expires_on: formatDay(expiry(row)),
    detail: JSON.stringify({
      request_headers: row.requestHeaders,
      request_body: row.requestBody ?? undefined,
      response_headers: row.responseHeaders,
      response_body: row.responseBody ?? undefined,
    }),
  };
}

function expiry({ at, plan }: StoredRequest): Day {
  return (dayOf(at.getTime() as Instant) + REQUESTS_KEPT_DAYS[plan ?? "standard"]) as Day;
}
