import pg from "pg";
import { databaseFault, OUTCOME_UNKNOWN } from "@/server/db/faults";
import type { PrismaClient } from "@/server/db/generated/client";
import type { OutageLog } from "@/server/log";

/** The connection ended, or fell silent, before the database said whether it has stored what was sent. */
export class OutcomeUnknown extends Error {
  override name = OUTCOME_UNKNOWN;

  constructor(cause: unknown) {
    super("The database did not say whether it has stored this", { cause });
  }
}

/** Errors of connections that never came about: nothing was sent on them. */
const unreached = new WeakSet<object>();
/** What pg says before it sends anything. */
const UNSENT =
  /^(?:Client (?:has encountered|was closed)|Cannot use a pool|timeout exceeded|Connection terminated due to)/;
const WRITING = /\b(?:INSERT|UPDATE|DELETE|MERGE)\b/i;
/** Prisma's operations that only read. */
const READING = /^(?:find|count|aggregate|groupBy)/;
const DEEPEST = 5;

/** Wraps pg's client so that it is noted whether the client reaches the server. */
export function noticedClient(outage: OutageLog | undefined): new () => pg.Client {
  function connecting(config: pg.ClientConfig): pg.Client {
    const client = new pg.Client(config);
    // The statement that runs fails by itself. The pool listens to idle connections alone, and without a listener the process would end.
    client.on("error", () => {});
    const connect = client.connect.bind(client) as (done: (error?: Error) => void) => void;
    const noticed = (done: (error?: Error) => void) =>
      connect((error) => {
        if (!error) outage?.recovered();
        else if (databaseFault(neverReached(error)) === "connection_lost") outage?.failed(error);
        done(error);
      });
    client.connect = noticed as typeof client.connect;
    return client;
  }
  return connecting as unknown as new () => pg.Client;
}

/** Notes that the error came before anything was sent. Gives the error. */
export function neverReached<Thrown extends object>(error: Thrown): Thrown {
  unreached.add(error);
  return error;
}

/** Reports whether a statement may write, by its words: one that only locks counts too. */
export function mayWrite(text: string): boolean {
  return WRITING.test(text);
}

/**
 * Returns the error of something that writes when it succeeds: OutcomeUnknown if it may have succeeded all the same.
 */
export function outcomeOf(error: unknown): unknown {
  return isUnanswered(error) ? new OutcomeUnknown(error) : error;
}

/** Extends the client so that a write whose response is lost fails with an unknown outcome. */
export function honest(prisma: PrismaClient): PrismaClient {
  const extended = prisma.$extends({
    query: {
      $allOperations: ({ operation, args, query }) =>
        READING.test(operation)
          ? query(args)
          : query(args).catch((error: unknown) => {
              throw outcomeOf(error);
            }),
    },
  });
  // It lacks $on alone, of which nothing here has use.
  return extended as unknown as PrismaClient;
}

function isUnanswered(error: unknown): boolean {
  const fault = databaseFault(error);
  if (fault !== "connection_lost" && !(fault === "timeout" && says(error, /^Query read timeout$/))) return false;
  return !within(error, (one) => unreached.has(one) || isUnreachable(one)) && !says(error, UNSENT);
}

/** Recognises an unreachable server by the words of the system and of Prisma, which do not hand the error on. */
function isUnreachable(error: object): boolean {
  const { code, syscall, kind } = error as Record<string, unknown>;
  return syscall === "connect" || syscall === "getaddrinfo" || code === "P1001" || kind === "DatabaseNotReachable";
}

function says(error: unknown, words: RegExp): boolean {
  return within(error, (one) => one instanceof Error && words.test(one.message));
}

/** Reports whether a condition holds of the error, or of one inside of it. */
function within(error: unknown, holds: (one: object) => boolean, depth = 0): boolean {
  if (typeof error !== "object" || error === null || depth > DEEPEST) return false;
  const { cause, meta } = error as { cause?: unknown; meta?: { driverAdapterError?: unknown } };
  return holds(error) || [cause, meta?.driverAdapterError].some((inner) => within(inner, holds, depth + 1));
}
