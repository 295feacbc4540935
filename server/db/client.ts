import { createHash } from "node:crypto";
import { PrismaPg } from "@prisma/adapter-pg";
import pg from "pg";
import { context } from "@/server/context";
import { databaseFault } from "@/server/db/faults";
import { type Prisma, PrismaClient } from "@/server/db/generated/client";
import { type CallResult, KeptCall } from "@/server/db/kept-call";
import { type LendPrisma, prismaClients, type Send } from "@/server/db/lent-prisma";
import { type AdvisoryLock, lockStatement } from "@/server/db/locks";
import { honest, mayWrite, neverReached, noticedClient, outcomeOf } from "@/server/db/lost-connection";
import { processName } from "@/server/db/process-name";
import { hasBackends, serverOptions } from "@/server/db/server-options";
import { tracePool } from "@/server/db/traced-pool";
import { env } from "@/server/env";
import { capacities } from "@/server/env/capacities";
import { moduleOutage } from "@/server/log";
import { tracing } from "@/server/tracing";

const CONNECT_TIMEOUT_MS = 5_000;
const TRANSACTION_TRIES = 3;
/** So many connections stay open: opening one takes tens of milliseconds on a busy machine, which what waits to be stored should not wait for. */
const SPARE = 4;
/** A connection that fell silent is given up after so long. */
const ANSWER_TIMEOUT_MS = 20_000;
/** What was given up here, the server ends so much later: nobody waits for it any more. */
const ENDED_AFTER_MS = 1_000;
/** Compiling a statement takes longer than any of ours runs. A process that hangs in a transaction would keep its locks. */
const SETTINGS = { jit: "off", idle_in_transaction_session_timeout: 300_000 };

const OUTAGE = {
  down: "the database can't be reached: requests are answered 503, and jobs wait",
  up: "the database can be reached again",
};

/** One statement, its rows as objects. Statements stay unnamed: the embedded database has one backend for all connections. */
export type Query = <Row extends object>(text: string, values?: readonly unknown[]) => Promise<Row[]>;

/** What a database and a transaction have in common. Those of a transaction use its connection. */
export interface Connection {
  query: Query;
  prisma: Prisma.TransactionClient;
}

/** Runs in a transaction, with nothing but what it is given: both use the transaction's connection. */
export type TransactionWork<T> = (query: Query, prisma: Prisma.TransactionClient) => Promise<T>;

export interface Database {
  /** For reads and writes of one table that are not hot (ADR 3). */
  prisma: PrismaClient;
  /** For every other statement, by `run` of server/db/statement.ts. */
  query: Query;
  /** Runs `work` in one transaction; begins again, up to three times, when PostgreSQL says that two collided. With a `lock` one at a time, over all processes. */
  transaction<T>(work: TransactionWork<T>, lock?: AdvisoryLock): Promise<T>;
  /** Runs reads that all see the database as it is at the first of them. */
  snapshot<T>(reads: TransactionWork<T>): Promise<T>;
  /** Runs writes of Prisma Client in one transaction. */
  together(writes: Prisma.PrismaPromise<unknown>[]): Promise<unknown>;
  /** The same database; what its transactions write is counted: `wrote` is called with the rows of each statement. */
  counting(wrote: (rows: number) => void): Database;
  /** Counts rows whose number the result of their statement does not tell. */
  wrote(rows: number): void;
  /** A server apart from this process, which outlives it and writes its log by itself; else the embedded database. */
  isServer: boolean;
  /** Milliseconds that a connection is waited for. */
  patience: number;
  /** How many connections are open, how many of those do nothing, and how much waits for one. */
  connections(): { total: number; idle: number; waiting: number };
  close(): Promise<void>;
}

let sendsUnnamed = false;

/** Has statements sent without names from now on: some poolers forget those between transactions (server/front-door/pooler.ts). */
export function sendUnnamed(): void {
  sendsUnnamed = true;
}

/**
 * Returns the database of this process, which it connects on first use. One pool serves Prisma and the plain
 * statements.
 */
export function db(): Database {
  context.database ??= connect(env().DATABASE_URL, {
    max: env().DATABASE_POOL,
    min: spare(),
    fallback_application_name: processName(),
    query_timeout: ANSWER_TIMEOUT_MS,
    keepAlive: true,
    Client: noticedClient(moduleOutage("database", OUTAGE)),
  });
  return context.database;
}

/** Returns how many connections stay open. The embedded database has one process for all of them. */
function spare(): number {
  return hasBackends(env().DATABASE_URL) ? Math.min(SPARE, env().DATABASE_POOL) : 1;
}

/** Opens the connections that stay open. */
export async function openSpare(): Promise<void> {
  await Promise.all(Array.from({ length: spare() }, () => db().query("SELECT 1")));
}

/** Opens a pool. The connection string is an ordinary PostgreSQL address, also for the embedded database. */
export function connect(connectionString: string | undefined, more: pg.PoolConfig = {}): Database {
  const limits = { max: capacities.DATABASE_POOL.byDefault, connectionTimeoutMillis: CONNECT_TIMEOUT_MS };
  const isServer = hasBackends(connectionString);
  const settings = {
    ...SETTINGS,
    ...(more.query_timeout && { statement_timeout: more.query_timeout + ENDED_AFTER_MS }),
  };
  const options = serverOptions(connectionString, settings);
  const verify = isServer ? keepMemory : undefined;
  const Client = noticedClient(undefined);
  const pool = new pg.Pool({ connectionString, options, verify, Client, ...limits, ...more });
  pool.on("error", () => {}); // an idle connection that the server ended; the pool opens another
  const trace = tracing();
  if (trace) tracePool(pool, trace);
  const names = isServer && !sendsUnnamed ? hot : none;
  const prisma = honest(new PrismaClient({ adapter: new PrismaPg(pool), errorFormat: "minimal" }));
  const query = queryOn(pool, { names, isAlone: true });
  const lend = prismaClients();
  const database = (wrote?: (rows: number) => void): Database => ({
    prisma,
    query,
    transaction: (work, lock) => transact({ pool, names, lend, begin: beginning(lock), wrote }, work),
    snapshot: (reads) => transact({ pool, names, lend, begin: SNAPSHOT, wrote }, reads),
    together: (writes) => prisma.$transaction(writes),
    counting: database,
    wrote: (rows) => wrote?.(rows),
    isServer,
    patience: more.connectionTimeoutMillis ?? CONNECT_TIMEOUT_MS,
    connections: () => ({ total: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount }),
    close: async () => {
      await prisma.$disconnect();
      if (!pool.ended) await pool.end();
    },
  });
  return database();
}

/**
 * Has the connection's process keep up to 4 MB that its statements free. By itself glibc returns what is over 128 KB to the system after each, and
 * takes it from there again for the next, page by page; what it keeps follows from the largest piece that was freed (mallopt(3), ADR 79).
 */
function keepMemory(client: pg.PoolClient, done: (error?: Error) => void): void {
  client.query("SELECT length(repeat('x', 2000000))").then(
    () => done(),
    (error: Error) => done(neverReached(error)),
  );
}

const hot = context.statementNames;
const none = new Map<string, string>();

/** Marks a statement that is planned once for each connection where connections have backends of their own. Gives its text. */
export function prepared(name: string, text: string): string {
  hot.set(text, name);
  return text;
}

/**
 * Marks a text that is put together from its input, as `prepared` marks a statement: its name follows from the text.
 * There must be few such texts.
 */
export function preparedShape(text: string): string {
  return hot.has(text) ? text : prepared(`shape ${createHash("sha256").update(text).digest("hex").slice(0, 32)}`, text);
}

type Names = ReadonlyMap<string, string>;

interface Querying {
  names: Names;
  /** Each statement is a transaction by itself. */
  isAlone?: boolean;
  wrote?: (rows: number) => void;
}

function queryOn(target: pg.Pool | pg.PoolClient, { names, isAlone = false, wrote }: Querying): Query {
  return async <Row extends object>(text: string, values: readonly unknown[] = []) => {
    const name = names.get(text);
    try {
      const { command, rowCount, rows } = name
        ? await keptCall(target, new KeptCall(name, text, values))
        : await target.query<Row>({ text, values: values as unknown[] });
      if (command !== "SELECT") wrote?.(rowCount ?? 0);
      return rows as Row[];
    } catch (error) {
      throw isAlone && mayWrite(text) ? outcomeOf(error) : error;
    }
  };
}

function keptCall(target: pg.Pool | pg.PoolClient, call: KeptCall): Promise<CallResult> {
  return new Promise((resolve, reject) => {
    const submit = target.query.bind(target) as unknown as (one: KeptCall, done: KeptCall["callback"]) => void;
    submit(call, (error, result) => (result ? resolve(result) : reject(error)));
  });
}

interface Transacting {
  pool: pg.Pool;
  names: Names;
  lend: LendPrisma;
  /** What begins it. */
  begin: string;
  wrote: ((rows: number) => void) | undefined;
}

const SNAPSHOT = "BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY";

function beginning(lock: AdvisoryLock | undefined): string {
  return lock === undefined ? "BEGIN" : `BEGIN; ${lockStatement(lock)}`;
}

async function transact<T>({ pool, names, lend, begin, wrote }: Transacting, work: TransactionWork<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    const client = await pool.connect();
    let broken: Error | undefined;
    let isCommitting = false;
    const lost = (error: Error) => {
      broken = error; // the query that runs fails by itself
    };
    client.on("error", lost);
    try {
      await client.query(begin);
      const query = queryOn(client, { names, wrote });
      const result = await lend(sending(client, wrote), (prisma) => work(query, prisma));
      isCommitting = true;
      await client.query("COMMIT");
      return result;
    } catch (error) {
      broken ??= await rollback(client);
      if (attempt < TRANSACTION_TRIES && databaseFault(error) === "collision") continue;
      throw isCommitting ? outcomeOf(error) : error;
    } finally {
      client.removeListener("error", lost);
      client.release(broken);
    }
  }
}

function sending(client: pg.PoolClient, wrote: Transacting["wrote"]): Send {
  return async (statement) => {
    const result = await client.query(statement);
    if (result.command !== "SELECT") wrote?.(result.rowCount ?? 0);
    return result;
  };
}

async function rollback(client: pg.PoolClient): Promise<Error | undefined> {
  try {
    await client.query("ROLLBACK");
    return undefined;
  } catch (error) {
    return error instanceof Error ? error : new Error("rollback failed");
  }
}
