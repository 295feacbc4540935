import { AsyncResource } from "node:async_hooks";
import type pg from "pg";
import { KeptCall } from "@/server/db/kept-call";
import { statementSummary } from "@/server/db/statement-summary";
import type { Tracing } from "@/server/tracing";

type Done = (error: unknown, result?: unknown) => void;
/** pg accepts a text or a configuration, then values and a callback, and gives a promise if there is no callback. */
type PgQuery = (...input: unknown[]) => unknown;

/** Has each statement of the pool be a span of the request or the work that runs it, by name: neither its text nor its values are told. */
export function tracePool(pool: pg.Pool, tracing: Tracing): void {
  const connect = pool.connect.bind(pool) as (callback?: (...found: unknown[]) => void) => Promise<pg.PoolClient>;
  // Whoever waits for a connection is called by whoever gives one back, and would run in that one's span.
  pool.connect = ((callback?: (...found: unknown[]) => void) =>
    callback ? connect(AsyncResource.bind(callback)) : connect()) as typeof pool.connect;
  pool.on("connect", (client) => {
    const query = client.query.bind(client) as PgQuery;
    client.query = ((...input: unknown[]) => traced(tracing, query, input)) as typeof client.query;
  });
}

function traced(tracing: Tracing, query: PgQuery, input: unknown[]): unknown {
  const [config] = input;
  const { text, submit }: { text?: unknown; submit?: unknown } =
    typeof config === "string" ? { text: config } : Object(config);
  // What submits itself, as a COPY or a cursor, is given back: it has no end that could be waited for here.
  if (typeof text !== "string" || (typeof submit === "function" && !(config instanceof KeptCall)))
    return query(...input);
  const name = statementSummary(text);
  const span = tracing.leaf(name, { "db.system.name": "postgresql", "db.query.summary": name });
  if (!span) return query(...input);
  const callback = input.at(-1);
  if (typeof callback === "function") {
    const done: Done = (error, result) => {
      span.end(error ? codeOf(error) : undefined);
      callback(error, result);
    };
    return query(...input.slice(0, -1), AsyncResource.bind(done));
  }
  return (query(...input) as Promise<unknown>).then(
    (result) => {
      span.end();
      return result;
    },
    (error: unknown) => {
      span.end(codeOf(error));
      throw error;
    },
  );
}

/** Returns PostgreSQL's code or the system's, and never the message, which may quote a row. */
function codeOf(error: unknown): string {
  const { code, name } = error as { code?: unknown; name?: unknown };
  return typeof code === "string" ? code : typeof name === "string" ? name : "unknown";
}
