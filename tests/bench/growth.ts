import { randomBytes } from "node:crypto";
import { resolve } from "node:path";
import { connect } from "@/server/db/client";
import { migrate } from "@/server/db/migrations";
import { type Call, hangUp, median, type Row, timed } from "@/tests/bench/measure";
import { recurrenceRatio } from "@/tests/bench/recurrence";
import { type Seeded, seedCalendar, seedSeries, seedSingles } from "@/tests/bench/seed";
import { type Server, startAlmanac } from "@/tests/bench/servers";
import { newDatabase } from "@/tests/fakes/new-database";

const ROUNDS = 6;
const CALLS = 50;
const REFILL_MS = 5_500;
const SERIES_OF_PAGE = 12;

/** How reads and writes grow with the calendar, and with series instead of single events: latencies of one call at a time, both sides in turns. */
export async function growthRows(address: string, say: (text: string) => void): Promise<Row[]> {
  const database = await newDatabase(address, "almanac_bench");
  const db = connect(database.url);
  let server: Server | undefined;
  try {
    await migrate(database.url, resolve("prisma/migrations"));
    say("Seeding calendars of 5,000 and 500,000 occurrences …");
    const calendars = {
      small: await seedCalendar(db, 5_000),
      large: await seedCalendar(db, 500_000),
      writtenSeries: await seedCalendar(db, 10),
      writtenSingles: await seedCalendar(db, 10),
      series: await seedSeries(db, SERIES_OF_PAGE),
      singles: await seedSingles(db, SERIES_OF_PAGE),
    };
    await db.query("VACUUM ANALYZE");
    server = await startAlmanac({ DATABASE_URL: database.url });
    return [...(await compare(pairsOf(server, calendars), say)), expansion()];
  } finally {
    hangUp();
    await server?.stop();
    await db.close();
    await database.close();
  }
}

interface Calendars {
  small: Seeded;
  large: Seeded;
  writtenSeries: Seeded;
  writtenSingles: Seeded;
  /** The same number of occurrences in series, and as single events. */
  series: Seeded;
  singles: Seeded;
}

interface Pair {
  what: string;
  a: () => Call;
  b: () => Call;
  limit: number;
}

function pairsOf({ origin }: Server, calendars: Calendars): Pair[] {
  const { small, large, writtenSeries, writtenSingles, series, singles } = calendars;
  const get = (path: string, { token }: Seeded) => {
    return (): Call => ({ origin, method: "GET", path, token, expect: 200 });
  };
  const post = ({ calendarId, token }: Seeded, recurrence?: object) => {
    const path = `/v1/calendars/${calendarId}/events`;
    return (): Call => ({ origin, method: "POST", path, token, body: newEvent(recurrence), expect: 202 });
  };
  const events = "/v1/events?tzid=Etc/UTC";
  const freeBusy = "/v1/free_busy?tzid=Etc/UTC";
  return [
    {
      what: "events page out of 500,000 / out of 5,000",
      ...{ a: get(events, large), b: get(events, small), limit: 1.3 },
    },
    {
      what: "free/busy page out of 500,000 / out of 5,000",
      ...{ a: get(freeBusy, large), b: get(freeBusy, small), limit: 1.3 },
    },
    {
      what: "write of a never-ending daily series / of a single event",
      ...{ a: post(writtenSeries, { rules: [{ frequency: "daily" }] }), b: post(writtenSingles), limit: 5 },
    },
    {
      what: "page of 300 occurrences of series / of 300 single events",
      a: get(`${events}&only_managed=true`, series),
      b: get(`${events}&only_managed=true`, singles),
      limit: 1.2,
    },
  ];
}

async function compare(pairs: readonly Pair[], say: (text: string) => void): Promise<Row[]> {
  const times = pairs.map((pair) => ({ pair, a: [] as number[], b: [] as number[] }));
  for (let round = 0; round < ROUNDS; round++) {
    say(`Round ${round + 1} of ${ROUNDS} …`);
    for (const { pair, a, b } of times) {
      for (let call = 0; call < CALLS; call++) {
        const first = await timed(pair.b());
        const second = await timed(pair.a());
        if (round === 0) continue;
        b.push(first.ms);
        a.push(second.ms);
      }
    }
    await new Promise((done) => setTimeout(done, REFILL_MS)); // the accounts' own buckets fill again
  }
  return times.map(({ pair: { what, limit }, a, b }) => {
    const [one, other] = [median(a), median(b)];
    return {
      what,
      ours: `${one.toFixed(2)} ms`,
      other: `${other.toFixed(2)} ms`,
      value: one / other,
      limit,
      unit: "×",
    };
  });
}

function newEvent(recurrence?: object): string {
  const start = new Date(Math.floor(Date.now() / 1000) * 1000 + 864e5).toISOString();
  const event = { event_id: randomBytes(9).toString("hex"), summary: "Planning round", start, end: start };
  return JSON.stringify({ ...event, tzid: "Europe/Berlin", recurrence });
}

/** Rules against the customer's library, both in this process. */
function expansion(): Row {
  const { ours, other } = recurrenceRatio();
  const what = "1,000 daily series begun ten years ago, 243 days / rrule.between";
  const value = ours / other;
  return { what, ours: `${ours.toFixed(0)} ms`, other: `${other.toFixed(0)} ms`, value, limit: 0.1, unit: "×" };
}
