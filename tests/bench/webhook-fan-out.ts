import type { Database } from "@/server/db/client";
import type { Row } from "@/tests/bench/measure";
import { startWorker } from "@/tests/bench/webhook-process";
import { dropDeliveries, type Listener, seedListeners } from "@/tests/bench/webhook-seed";
import { percentile } from "@/tests/rig/durations";
import type { SideProcess } from "@/tests/rig/side-process";

const ACCOUNTS = 2_000;
const EACH = 3;
const ROUNDS = 5;
const PROCESSES = 4;
/** As fast as deliveries are sent. */
const WANTED_MS = 1_000;

interface Bench {
  db: Database;
  url: string;
  say(text: string): void;
}

/** How fast due signals become deliveries: three changes in each of 2,000 accounts, first in one process, then in four. */
export async function fanOutRows({ db, url, say }: Bench): Promise<Row[]> {
  const listeners = await seedListeners(db, ACCOUNTS, ["https://hooks.acme.io"]);
  await db.query("VACUUM ANALYZE");
  const workers = Array.from({ length: PROCESSES }, () => startWorker({ url, receivers: { origins: [] } }));
  try {
    const rounds = async (of: readonly SideProcess[]) => {
      const times: number[] = [];
      for (let round = 0; round <= ROUNDS; round++) times.push(await fannedOut(db, { listeners, workers: of }));
      return percentile(times.slice(1), 0.5);
    };
    const alone = await rounds(workers.slice(0, 1));
    const shared = await rounds(workers);
    const rate = (ms: number) => `${((ACCOUNTS * 1_000) / ms).toFixed(0)}/s`;
    say(`Accounts' changes that become deliveries: ${rate(alone)} by one process, ${rate(shared)} by ${PROCESSES}`);
    return [
      {
        what: `due changes of ${ACCOUNTS.toLocaleString("en")} accounts become deliveries in one process: 1,000 take`,
        ours: rate(alone),
        other: `${rate(shared)} by ${PROCESSES}`,
        value: (alone * 1_000) / ACCOUNTS,
        limit: WANTED_MS,
        unit: "ms",
      },
    ];
  } finally {
    await Promise.all(workers.map((worker) => worker.close()));
  }
}

/** Until nothing is due any more. Each channel gets one delivery, however many processes there are. */
async function fannedOut(
  db: Database,
  { listeners, workers }: { listeners: readonly Listener[]; workers: readonly SideProcess[] },
): Promise<number> {
  await dropDeliveries(db);
  await db.query(
    `INSERT INTO outbox (kind, account_id, subject, payload, due_at)
SELECT 'change', a.account_id, a.calendar_id, json_build_object('managed', false, 'at', 1750000000000), clock_timestamp() - interval '1 minute'
FROM unnest($1::text[], $2::text[]) AS a(account_id, calendar_id), generate_series(1, $3)`,
    [listeners.map(({ accountId }) => accountId), listeners.map(({ calendarId }) => calendarId), EACH],
  );
  await db.query("VACUUM ANALYZE outbox");
  const began = performance.now();
  await Promise.all(workers.map((worker) => worker.ask<number>("fan-out")));
  const lasted = performance.now() - began;
  const [row] = await db.query<{ n: number; channels: number; left: number }>(
    `SELECT count(*)::int AS n, count(DISTINCT channel_id)::int AS channels, (SELECT count(*)::int FROM outbox) AS left FROM deliveries`,
  );
  if (row?.n !== ACCOUNTS || row.channels !== ACCOUNTS || row.left > 0)
    throw new Error(`${row?.n} deliveries of ${row?.channels} channels were made, and ${row?.left} signals are left`);
  return lasted;
}
