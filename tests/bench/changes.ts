import type { Database } from "@/server/db/client";
import { type Row, timed } from "@/tests/bench/measure";
import { type Member, seedPeople } from "@/tests/bench/people";
import { startAlmanac } from "@/tests/bench/servers";
import { openDatabase } from "@/tests/rig/database";
import { median, percentile } from "@/tests/rig/durations";
import { until } from "@/tests/rig/until";

const PEOPLE = 50;
/** Ten clients read them within the burst of an account. */
const CHANGES = 6_500;
const CLIENTS = 10;
const PAGE = 500;
const TRIGGERS = 10_000;
const MOST_PAGE_MS = 250;
/** A page with its events is ten times as long. */
const MOST_WHOLE_PAGE_MS = 750;
/** A trigger fires within a minute of its time. */
const MOST_FIRING_S = 60;

/** How long ten clients wait for the pages of a feed of thousands of changes, and how soon 10,000 triggers have fired that were due at once. */
export async function changesRows(address: string, say: (text: string) => void): Promise<Row[]> {
  const database = await openDatabase(address, "almanac_bench");
  try {
    const { members } = await seedPeople(database.db, { count: PEOPLE, days: 35, aDay: 8 });
    // Two of them, since the rate limit is an account's.
    const [one, other] = members as [Member, Member];
    const server = await startAlmanac({ DATABASE_URL: database.url });
    try {
      say(`Writing ${CHANGES} changes, twice …`);
      const thin = await followed(server.origin, database.db, one);
      const whole = await followed(server.origin, database.db, other, "&include=event");
      say(`Firing ${TRIGGERS} triggers …`);
      const firingS = await fire(database.db, members);
      return [
        row(`GET /v1/changes, ${CLIENTS} clients, ${PAGE} of ${CHANGES} changes, p95`, thin, MOST_PAGE_MS),
        row("The same with include=event, p95", whole, MOST_WHOLE_PAGE_MS),
        {
          what: `${TRIGGERS} triggers due at once: until the last has fired`,
          ...{ ours: `${firingS.toFixed(1)} s`, other: "–", value: firingS, limit: MOST_FIRING_S, unit: "s" },
        },
      ];
    } finally {
      await server.end();
    }
  } finally {
    await database.close();
  }
}

function row(what: string, measured: readonly number[], limit: number): Row {
  const value = percentile(measured, 0.95);
  const other = `p50 ${median(measured).toFixed(1)} ms`;
  return { what, ours: `${value.toFixed(1)} ms`, other, value, limit, unit: "ms" };
}

/** Milliseconds of each page that clients of one account read side by side, of changes that were made since they began. */
async function followed(origin: string, db: Database, reader: Member, more = ""): Promise<number[]> {
  const page = async (query: string) => {
    const { ms, body } = await timed({
      ...{ origin, method: "GET", path: `/v1/changes?${query}${more}`, token: reader.token, expect: 200 },
    });
    return { ms, ...(JSON.parse(body) as { cursor: string; has_more: boolean }) };
  };
  const { cursor } = await page("limit=1");
  await change(db, reader);
  const follow = async (): Promise<number[]> => {
    const times: number[] = [];
    for (let next = cursor; ; ) {
      const { ms, cursor, has_more } = await page(`limit=${PAGE}&cursor=${encodeURIComponent(next)}`);
      times.push(ms);
      next = cursor;
      if (!has_more) return times;
    }
  };
  return (await Promise.all(Array.from({ length: CLIENTS }, follow))).flat();
}

/** Changes the events of a calendar over and over, each in a transaction of its own as far as the feed can tell. */
async function change({ query }: Database, { calendarId }: Member): Promise<void> {
  const [{ n = 0 } = {}] = await query<{ n: number }>("SELECT count(*)::int AS n FROM events WHERE calendar_id = $1", [
    calendarId,
  ]);
  for (let done = 0; done < CHANGES; done += n)
    await query(
      "UPDATE events SET summary = $2, updated_at = now(), written_at = now() WHERE id IN (SELECT id FROM events WHERE calendar_id = $1 LIMIT $3)",
      [calendarId, `Planning ${done}`, CHANGES - done],
    );
}

/** Seeds triggers, whose channels are paused, that are all due for one event, and waits until each has fired. Returns the seconds that took. */
async function fire({ query }: Database, members: readonly Member[]): Promise<number> {
  const accounts = members.map(({ accountId }) => accountId);
  await query(
    `WITH t AS (SELECT 'trg_' || i AS id, 'chn_' || i AS channel, a FROM generate_series(1, $2::int) i, LATERAL (SELECT ($1::text[])[1 + i % cardinality($1::text[])] AS a) x),
c AS (INSERT INTO channels (id, account_id, callback_url, calendar_ids, all_calendars, sealed_secret, of_trigger, paused_at)
  SELECT channel, a, 'https://receiver.invalid/' || channel, '{}', false, '', true, now() FROM t RETURNING id)
INSERT INTO triggers (id, account_id, channel_id, anchor, minutes, calendar_ids, fired_until, created_at)
SELECT t.id, t.a, t.channel, 'start', 0, '{}', now(), now() FROM t JOIN c ON c.id = t.channel`,
    [accounts, TRIGGERS],
  );
  await query(
    `WITH e AS (INSERT INTO events (id, calendar_id, event_id, summary, all_day, starts, ends)
  SELECT 'evt_now' || c, c, 'now', 'Now', false, now(), now() + interval '1 hour' FROM unnest($1::text[]) c RETURNING *)
INSERT INTO occurrences (uid, master_id, calendar_id, event_id, all_day, managed, starts, ends)
SELECT id, id, calendar_id, event_id, false, true, starts + interval '1 second', ends FROM e`,
    [members.map(({ calendarId }) => calendarId)],
  );
  await query("ANALYZE");
  const began = performance.now();
  await query(
    "INSERT INTO outbox (kind, account_id, subject, due_at) SELECT 'trigger', account_id, id, now() + interval '1 second' FROM triggers",
  );
  const haveFired = async () => {
    const [{ n = 0 } = {}] = await query<{ n: number }>(
      "SELECT count(*)::int AS n FROM firings WHERE uid LIKE 'evt_now%'",
    );
    return n === TRIGGERS;
  };
  await until(haveFired, { within: 300_000, what: "the last trigger" });
  return (performance.now() - began) / 1_000;
}
