import { type Row, timed } from "@/tests/bench/measure";
import { type Member, seedPeople } from "@/tests/bench/people";
import { startAlmanac } from "@/tests/bench/servers";
import { openDatabase } from "@/tests/rig/database";
import { median, percentile } from "@/tests/rig/durations";

const GROUPS = 10;
const MEMBERS = 50;
/** Ahead, and as many behind. */
const DAYS = 35;
const A_DAY = 8;
const WARMING = 20;
const SEARCHES = 200;
const BOOKINGS = 300;
/** Bookings are side by side in the hours after those of the events. */
const BOOKINGS_A_DAY = 100;
const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const MOST_SEARCH_MS = 300;
const MOST_BOOKING_MS = 100;

/** How long a search for free time of many people takes, and a booking that three have to be free for. */
export async function schedulingRows(address: string, say: (text: string) => void): Promise<Row[]> {
  const database = await openDatabase(address, "almanac_bench");
  try {
    say(`Seeding ${MEMBERS} people with ${A_DAY} events a day …`);
    const { secret: token, members } = await seedPeople(database.db, { count: MEMBERS, days: DAYS, aDay: A_DAY });
    const server = await startAlmanac({ DATABASE_URL: database.url });
    try {
      const post = (path: string, body: object, expect: number) =>
        timed({ origin: server.origin, method: "POST", path, token, body: JSON.stringify(body), expect });
      const search = () => post("/v1/availability", question(members), 200);
      const book = (n: number) => post("/v1/bookings", booking(members, n), 201);
      say("Searching …");
      const searches = await durations(SEARCHES, search);
      say("Booking …");
      const bookings = await durations(BOOKINGS, book);
      return [
        row(
          `POST /v1/availability, ${GROUPS} groups of ${MEMBERS} people, ${DAYS} days, p95`,
          searches,
          MOST_SEARCH_MS,
        ),
        row("POST /v1/bookings over three calendars, p95", bookings, MOST_BOOKING_MS),
      ];
    } finally {
      await server.end();
    }
  } finally {
    await database.close();
  }
}

/** Milliseconds of calls one after another, without the first ones. */
async function durations(count: number, call: (n: number) => Promise<{ ms: number }>): Promise<number[]> {
  const all: number[] = [];
  for (let n = 0; n < WARMING + count; n += 1) all.push((await call(n)).ms);
  return all.slice(WARMING);
}

function row(what: string, measured: readonly number[], limit: number): Row {
  const value = percentile(measured, 0.95);
  return {
    what,
    ours: `${value.toFixed(1)} ms`,
    other: `p50 ${median(measured).toFixed(1)} ms`,
    value,
    limit,
    unit: "ms",
  };
}

function question(members: readonly Member[]): object {
  const each = MEMBERS / GROUPS;
  const from = Math.ceil(Date.now() / DAY_MS) * DAY_MS;
  return {
    participants: Array.from({ length: GROUPS }, (_, group) => ({
      required: 1,
      members: members.slice(group * each, (group + 1) * each).map(({ accountId }) => ({ sub: accountId })),
    })),
    required_duration: { minutes: 60 },
    query_periods: [{ start: text(from), end: text(from + DAYS * DAY_MS) }],
    max_results: 512,
  };
}

function booking(members: readonly Member[], n: number): object {
  const three = [0, 1, 2].map((i) => members[(3 * n + i) % members.length]);
  const midnight = Math.ceil(Date.now() / DAY_MS) * DAY_MS + Math.floor(n / BOOKINGS_A_DAY) * DAY_MS;
  const start = midnight + 9 * 60 * MINUTE_MS + (n % BOOKINGS_A_DAY) * 5 * MINUTE_MS;
  return {
    calendar_id: three[0]?.calendarId,
    event: { event_id: `booking ${n}`, summary: "Booked", start: text(start), end: text(start + 5 * MINUTE_MS) },
    require_free: three.map((one) => ({ sub: one?.accountId })),
  };
}

const text = (at: number) => new Date(at).toISOString().replace(".000Z", "Z");
