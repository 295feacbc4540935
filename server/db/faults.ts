/** What went wrong at the database, from any source: PostgreSQL, pg and its pool, the operating system, or Prisma for one of them. */
export type DatabaseFault =
  | "invalid_value"
  | "unique_violation"
  | "check_violation"
  | "constraint_violation"
  | "limit_exceeded"
  /** A deadlock, or transactions that could not be put in an order: the same transaction may succeed when it begins again. */
  | "collision"
  /** A statement or a lock took too long. */
  | "timeout"
  | "no_connection_left"
  | "connection_lost"
  /** Something that writes was sent, and the connection ended before the response. */
  | "outcome_unknown"
  | "other";

export const OUTCOME_UNKNOWN = "OutcomeUnknown";

const LOCK_NOT_AVAILABLE = "55P03";

const faults: Readonly<Record<string, DatabaseFault>> = {
  "23505": "unique_violation",
  "23514": "check_violation",
  "40001": "collision",
  "40P01": "collision",
  "53300": "no_connection_left",
  [LOCK_NOT_AVAILABLE]: "timeout",
  "57014": "timeout",
  // What Prisma makes of sockets that are refused, time out or are closed.
  P1001: "connection_lost",
  P1008: "connection_lost",
  P1017: "connection_lost",
};

/** PostgreSQL's classes of errors: the first characters of their codes. */
const classes: Readonly<Record<string, DatabaseFault>> = {
  "08": "connection_lost",
  "22": "invalid_value",
  "23": "constraint_violation",
  "54": "limit_exceeded",
  "57P": "connection_lost",
};

/** What pg and its pool say, which have no codes for it. */
const sentences: ReadonlyMap<string, DatabaseFault> = new Map<string, DatabaseFault>([
  ["Query read timeout", "timeout"],
  ["timeout exceeded when trying to connect", "no_connection_left"],
  ["Connection terminated due to connection timeout", "no_connection_left"],
  ["timeout expired", "connection_lost"],
  ["Connection terminated", "connection_lost"],
  ["Connection terminated unexpectedly", "connection_lost"],
  ["Client has encountered a connection error and is not queryable", "connection_lost"],
  ["Client was closed and is not queryable", "connection_lost"],
  ["Cannot use a pool after calling end on the pool", "connection_lost"],
]);

const brokenSocket = /^E(CONN|PIPE$|TIMEDOUT$|HOST|NET|NOTFOUND$|AI_)/;
const DEEPEST = 5;

/** Reports whether a statement did not get a lock within its lock_timeout. */
export function isLockTimeout(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === LOCK_NOT_AVAILABLE;
}

/** Classifies an error that came from the database; null for any other. An error inside another counts for it. */
export function databaseFault(error: unknown, depth = 0): DatabaseFault | null {
  if (typeof error !== "object" || error === null || depth > DEEPEST) return null;
  const { code, originalCode, cause, meta } = error as Record<string, unknown>;
  if (error instanceof Error && error.name === OUTCOME_UNKNOWN) return "outcome_unknown";
  const fault = faultOfCode(code) ?? faultOfCode(originalCode) ?? faultWithoutCode(error);
  return fault ?? databaseFault(cause, depth + 1) ?? databaseFault(driverError(meta), depth + 1);
}

/**
 * Reports whether the database has too much to do or is away, and may do the same a little later. Nothing was stored.
 */
export function isPassing(error: unknown): boolean {
  const fault = databaseFault(error);
  return fault !== null && passing.has(fault);
}

const passing: ReadonlySet<DatabaseFault> = new Set<DatabaseFault>([
  "collision",
  "timeout",
  "no_connection_left",
  "connection_lost",
]);

/** Reports whether the database refuses the data itself, and would again. */
export function isRefusedData(error: unknown): boolean {
  const fault = databaseFault(error);
  return fault !== null && refusals.has(fault);
}

/** Reports whether an error is the database's own trouble, which passes, and is the same whatever the data. */
export function isDatabaseTrouble(error: unknown): boolean {
  return databaseFault(error) !== null && !isRefusedData(error);
}

const refusals: ReadonlySet<DatabaseFault> = new Set<DatabaseFault>([
  "invalid_value",
  "unique_violation",
  "check_violation",
  "constraint_violation",
  "limit_exceeded",
]);

/** Reports whether Prisma found no row to update or delete. */
export function isMissingRow(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "P2025";
}

function faultOfCode(code: unknown): DatabaseFault | null {
  if (typeof code !== "string") return null;
  if (brokenSocket.test(code)) return "connection_lost";
  if (!/^[0-9A-Z]{5}$/.test(code)) return null;
  return faults[code] ?? classes[code.slice(0, 2)] ?? classes[code.slice(0, 3)] ?? null;
}

function faultWithoutCode(error: object): DatabaseFault | null {
  if ("severity" in error) return "other";
  if ("syscall" in error) return "connection_lost";
  return error instanceof Error ? (sentences.get(error.message) ?? null) : null;
}

/** Unwraps the driver's error, which Prisma wraps. */
function driverError(meta: unknown): unknown {
  return typeof meta === "object" && meta !== null && "driverAdapterError" in meta
    ? meta.driverAdapterError
    : undefined;
}
