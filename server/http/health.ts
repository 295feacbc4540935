import { db } from "@/server/db/client";
import { databaseNow } from "@/server/db/database-time.sql";
import { run } from "@/server/db/statement";

const PATIENCE_MS = 2_000;
const RETRY_AFTER_SECONDS = 5;

/** GET /health: 200 `{ status: "ready" }`, or 503 with the reason. Not in the request log: a balancer asks every few seconds. */
export async function health(): Promise<Response> {
  const reason = await databaseFault();
  const body = reason === null ? { status: "ready" } : { status: "not ready", reason };
  const status = reason === null ? 200 : 503;
  const wait: Record<string, string> = reason === null ? {} : { "retry-after": String(RETRY_AFTER_SECONDS) };
  return Response.json(body, { status, headers: { "cache-control": "no-store", ...wait } });
}

async function databaseFault(): Promise<string | null> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<string>((resolve) => {
    timer = setTimeout(() => resolve(`The database did not respond within ${PATIENCE_MS / 1000} seconds`), PATIENCE_MS);
  });
  const result = run(db().query, databaseNow).then(
    () => null,
    () => "The database can't be reached",
  );
  return Promise.race([result, late]).finally(() => clearTimeout(timer));
}
