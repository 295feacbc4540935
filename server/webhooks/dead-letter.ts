import type { Database, Query } from "@/server/db/client";
import { databaseTime } from "@/server/db/database-time";
import { run } from "@/server/db/statement";
import { log } from "@/server/log";
import { postponeSignals, setSignalsAside } from "@/server/webhooks/fan-out.sql";

const MOST_TRIES = 10;
const FIRST_WAIT_S = 2;

/** Keeps unreadable signals in place, never due, for staff to inspect: they delay no other signal and are not lost. */
export async function deadLetter(query: Query, ids: readonly string[], accountId: string): Promise<void> {
  await run(query, setSignalsAside, [ids]);
  log({ module: "webhooks" }).error({ signals: ids, accountId }, "signals could not be read and were set aside");
}

/**
 * Postpones the signals of an account whose processing threw, each time for longer. After ten times they become dead
 * letters.
 */
export async function postpone(
  db: Database,
  { accountId, error }: { accountId: string; error: unknown },
): Promise<void> {
  const rows = await run(db.query, postponeSignals, [accountId, databaseTime(), MOST_TRIES, FIRST_WAIT_S]);
  const tries = Math.max(0, ...rows.map((row) => row.tries));
  const facts = { accountId, signals: rows.length, tries, err: error };
  const sentence = "an account's signals could not be handled";
  if (tries >= MOST_TRIES) log({ module: "webhooks" }).error(facts, `${sentence} and were set aside`);
  else log({ module: "webhooks" }).warn(facts, `${sentence} and will be tried again`);
}
