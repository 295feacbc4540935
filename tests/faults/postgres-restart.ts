import { connect, type Database } from "@/server/db/client";
import { startCluster } from "@/tests/faults/cluster";
import { type ApiResponse, post } from "@/tests/rig/client";
import { seconds } from "@/tests/rig/durations";
import { type Field, inField } from "@/tests/rig/field";
import { startReceivers } from "@/tests/rig/receivers";
import type { Row } from "@/tests/rig/results";
import type { Seeded } from "@/tests/rig/seed";
import { passed, until } from "@/tests/rig/until";

const HOSTS = 20;
const WRITERS = 4;
/** Below 25 a second, what one account may. */
const WRITE_EVERY_MS = 50;
const CHANGE_EVERY_MS = 50;
const RESTARTS = 3;
const LOAD_MS = 3_000;
/** By when the service works again, without a restart of its own. */
const RECOVERY_MS = 5_000;
const DELIVERING_MS = 15_000;
const PATIENCE_MS = 120_000;

/** PostgreSQL crashes three times under load; the service's process stays. */
export async function postgresRestart(): Promise<Row[]> {
  const cluster = await startCluster();
  const receivers = await startReceivers(HOSTS, { answerAfterMs: 20 });
  try {
    return await inField({ origins: receivers.origins, address: cluster.address }, async (field) => {
      const channels = await field.channels(receivers.urls);
      const service = await field.launch();
      const origin = await service.ready();
      const load = await startLoad(field, { origin, channels });
      const recoveries: number[] = [];
      const deliverings: number[] = [];
      for (let restart = 0; restart < RESTARTS; restart++) {
        await passed(LOAD_MS);
        await cluster.restart();
        const at = Date.now();
        const written = () => load.writes.find(({ answer, sentAt }) => sentAt >= at && answer.status === 202);
        const posted = () => receivers.posts.find((one) => one.at >= at);
        await until(() => written() !== undefined && posted() !== undefined, {
          within: PATIENCE_MS,
          what: "a write and a delivery after a restart of PostgreSQL",
        });
        recoveries.push((written()?.at ?? 0) - at);
        deliverings.push((posted()?.at ?? 0) - at);
      }
      await passed(LOAD_MS);
      await load.end();
      await until(async () => (await unfinished(field.db)) === 0, { within: PATIENCE_MS, what: "the end of all work" });
      const all = await field.db.query<{ state: string }>("SELECT state FROM deliveries");
      return [
        ...(await answersOf(field.db, load.writes)),
        rowOf("to the first write", recoveries, RECOVERY_MS),
        rowOf("to the first delivery", deliverings, DELIVERING_MS),
        {
          what: "PostgreSQL crashes: deliveries eventually delivered by the same process",
          measured: `${all.filter(({ state }) => state === "delivered").length} of ${all.length}, from ${load.changes()} changes too; the process ${service.isAlive() ? "is the same" : "ended"}`,
          limit: "all",
          ok: service.isAlive() && all.length > 0 && all.every(({ state }) => state === "delivered"),
        },
      ];
    });
  } finally {
    await receivers.close();
    await cluster.close();
  }
}

interface Write {
  calendarId: string;
  eventId: string;
  answer: ApiResponse;
  sentAt: number;
  at: number;
}

/** Writes by the API, changes of others as rows, and deliveries, until it is ended. */
async function startLoad(field: Field, { origin, channels }: { origin: string; channels: readonly string[] }) {
  const writes: Write[] = [];
  let changes = 0;
  let isOver = false;
  const accounts = await Promise.all(Array.from({ length: WRITERS }, () => field.newAccount()));
  const others = connect(field.url);
  const write = async (account: Seeded, writer: number) => {
    for (let i = 0; !isOver; i++) {
      const eventId = `${writer}-${i}`;
      const sentAt = Date.now();
      const path = `/v1/calendars/${account.calendarId}/events`;
      const answer = await post(origin + path, account, eventOf(eventId));
      writes.push({ calendarId: account.calendarId, eventId, answer, sentAt, at: Date.now() });
      await passed(WRITE_EVERY_MS);
    }
  };
  const change = async () => {
    for (let i = 0; !isOver; i++) {
      const isWritten = await putRows({ ...field, db: others }, { channels, i }).catch(() => false);
      if (isWritten) changes += 1;
      await passed(CHANGE_EVERY_MS);
    }
  };
  const running = [...accounts.map(write), change()];
  return {
    writes,
    changes: () => changes,
    end: async () => {
      isOver = true;
      await Promise.all(running);
      await others.close();
    },
  };
}

async function putRows(
  { db, account }: Pick<Field, "db" | "account">,
  { channels, i }: { channels: readonly string[]; i: number },
): Promise<boolean> {
  await db.query(
    `INSERT INTO outbox (kind, account_id, subject, payload, due_at)
VALUES ('change', $1, $2, json_build_object('managed', false, 'at', floor(date_part('epoch', clock_timestamp()) * 1000)), clock_timestamp() + interval '1 second')`,
    [account.accountId, account.calendarId],
  );
  await db.query(
    `INSERT INTO deliveries (id, channel_id, account_id, application_id, type, body, host, created_at, next_attempt_at)
SELECT 'whd_' || replace(gen_random_uuid()::text, '-', ''), channel_id, account_id, application_id, type, body, host,
  clock_timestamp(), clock_timestamp() FROM deliveries WHERE channel_id = $1 LIMIT 1`,
    [channels[i % channels.length]],
  );
  return true;
}

function eventOf(event_id: string): object {
  const day = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);
  return { event_id, summary: "Still there", start: `${day}T10:00:00Z`, end: `${day}T11:00:00Z` };
}

async function unfinished(db: Database): Promise<number> {
  const [row] = await db.query<{ n: number }>(
    `SELECT ((SELECT count(*) FROM deliveries WHERE state = 'pending') + (SELECT count(*) FROM outbox WHERE kind = 'change'))::int AS n`,
  );
  return row?.n ?? 0;
}

async function answersOf(db: Database, writes: readonly Write[]): Promise<Row[]> {
  const rows = await db.query<{ calendar_id: string; event_id: string }>(
    "SELECT calendar_id, event_id FROM events WHERE event_id IS NOT NULL",
  );
  const there = new Set(rows.map(({ calendar_id, event_id }) => `${calendar_id} ${event_id}`));
  const taken = writes.filter(({ answer }) => answer.status === 202);
  const lost = taken.filter(({ calendarId, eventId }) => !there.has(`${calendarId} ${eventId}`)).length;
  const others = writes.filter(({ answer }) => answer.status !== 202).map(({ answer }) => answer);
  const wrong = others.filter(({ status, text }) => status !== 0 && (status < 500 || text !== ""));
  const statuses = [...new Set(others.map(({ status }) => status))].sort().join(", ");
  const example = wrong[0] ? `, such as ${wrong[0].status} ${wrong[0].text.slice(0, 80)}` : "";
  return [
    {
      what: `PostgreSQL crashes ${RESTARTS} times: writes that returned 202 and are missing`,
      measured: `${lost} of ${taken.length}`,
      limit: "0",
      ok: lost === 0 && taken.length > 0,
    },
    {
      what: "PostgreSQL crashes: other responses that are not an empty 5xx",
      measured: `${wrong.length} of ${others.length} (${statuses || "none"})${example}`,
      limit: "0",
      ok: wrong.length === 0,
    },
  ];
}

function rowOf(what: string, waits: readonly number[], limit: number): Row {
  const longest = Math.max(...waits);
  return {
    what: `PostgreSQL crashes: longest time from recovery ${what}`,
    measured: seconds(longest),
    limit: seconds(limit),
    ok: longest <= limit,
  };
}
