import { randomBytes } from "node:crypto";
import { writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { resolve } from "node:path";
import { connect, type Database } from "@/server/db/client";
import { migrate } from "@/server/db/migrations";
import { newToken } from "@/server/db/new-id";
import { registerApplication } from "@/server/store/applications/register";
import { dashboardRows } from "@/tests/bench/dashboard";
import { benchedGoogle } from "@/tests/bench/google";
import { type Call, hangUp, median, type Row, timed } from "@/tests/bench/measure";
import { benchedMicrosoft } from "@/tests/bench/microsoft";
import { providerRows } from "@/tests/bench/provider";
import { recurrenceRatio } from "@/tests/bench/recurrence";
import { type Seeded, seedAccount, seedCalendar, seedSeries, seedSingles } from "@/tests/bench/seed";
import { residentMegabytes, type Server, startAlmanac, startBare } from "@/tests/bench/servers";
import { syncRows } from "@/tests/bench/sync";
import { webhookRows } from "@/tests/bench/webhooks";
import { newDatabase } from "@/tests/fakes/new-database";

const ROUNDS = 6;
const CALLS = 50;
const REFILL_MS = 5_500;
const MEMORY_ACCOUNTS = 200;
const MEMORY_REQUESTS = 20_000;
const SERIES_OF_PAGE = 12;

const address = process.env.BENCH_DATABASE_URL ?? "postgresql://root@127.0.0.1:5432/postgres";
const env = { ENCRYPTION_KEYS: `b1:${randomBytes(32).toString("base64")}` };
Object.assign(process.env, env);
const only = process.env.BENCH_ONLY ?? "";
const isWhole = !["api", "webhooks", "sync", "google", "microsoft", "dashboard"].includes(only);
const measured = isWhole || only === "api" ? await apiRows() : [];
if (isWhole || only === "webhooks") {
  say("Deliveries …");
  measured.push(...(await webhookRows(address, say)));
}
if (isWhole || only === "sync") {
  say("A CalDAV server …");
  measured.push(...(await syncRows(address, say)));
}
if (isWhole || only === "google") {
  say("Google …");
  measured.push(...(await providerRows(address, say, benchedGoogle)));
}
if (isWhole || only === "microsoft") {
  say("Microsoft 365 …");
  measured.push(...(await providerRows(address, say, benchedMicrosoft)));
}
if (isWhole || only === "dashboard") {
  say("The dashboard …");
  measured.push(...(await dashboardRows(address, say)));
}
report(measured);

async function apiRows(): Promise<Row[]> {
  const database = await newDatabase(address, "almanac_bench");
  const running: Server[] = [];
  process.env.DATABASE_URL = database.url;
  try {
    await migrate(database.url, resolve("prisma/migrations"));
    const db = connect(database.url);
    say("Seeding calendars of 5,000, 50,000 and 500,000 occurrences …");
    const small = await seedCalendar(db, 5_000);
    const middle = await seedCalendar(db, 50_000);
    const large = await seedCalendar(db, 500_000);
    const written = await seedCalendar(db, 1_000);
    const lookedUp = await seedCalendar(db, 10);
    const writtenSeries = await seedCalendar(db, 10);
    const writtenSingles = await seedCalendar(db, 10);
    const series = await seedSeries(db, SERIES_OF_PAGE);
    const singles = await seedSingles(db, SERIES_OF_PAGE);
    await db.query("VACUUM ANALYZE");
    const bare = await startBare({ ...env, DATABASE_URL: database.url });
    const ours = await startAlmanac({ ...env, DATABASE_URL: database.url });
    running.push(bare, ours);
    const rows = await compare({
      bare,
      ours,
      small,
      middle,
      large,
      written,
      lookedUp,
      writtenSeries,
      writtenSingles,
      series,
      singles,
    });
    rows.push(expansion());
    rows.push(await memory(db, ours));
    await db.close();
    return rows;
  } finally {
    for (const { child } of running) child.kill("SIGTERM");
    hangUp();
    await database.close();
  }
}

interface Field {
  bare: Server;
  ours: Server;
  small: Seeded;
  middle: Seeded;
  large: Seeded;
  written: Seeded;
  lookedUp: Seeded;
  writtenSeries: Seeded;
  writtenSingles: Seeded;
  /** The same number of occurrences in series, and as single events. */
  series: Seeded;
  singles: Seeded;
}

async function compare(field: Field): Promise<Row[]> {
  const { bare, ours, small, middle, large, written, lookedUp } = field;
  const get = (path: string, { token }: Seeded): Call => ({
    origin: ours.origin,
    method: "GET",
    path,
    token,
    expect: 200,
  });
  const bareGet = (path: string, { calendarId, token }: Seeded): Call => ({
    origin: bare.origin,
    method: "GET",
    path: `${path}?calendar=${calendarId}`,
    token,
    expect: 200,
  });
  const events = "/v1/events?tzid=Etc/UTC";
  const freeBusy = "/v1/free_busy?tzid=Etc/UTC";
  const pairs: Pair[] = [
    {
      what: "events page of 300 out of 50,000 / bare",
      a: () => get(events, middle),
      b: () => bareGet("/events", middle),
      limit: 1.6,
    },
    {
      what: "free/busy page of 1,000 out of 50,000 / bare",
      a: () => get(freeBusy, middle),
      b: () => bareGet("/free_busy", middle),
      limit: 1.6,
    },
    {
      what: "events page out of 500,000 / out of 5,000",
      a: () => get(events, large),
      b: () => get(events, small),
      limit: 1.3,
    },
    {
      what: "free/busy page out of 500,000 / out of 5,000",
      a: () => get(freeBusy, large),
      b: () => get(freeBusy, small),
      limit: 1.3,
    },
    {
      what: "one event write / the same statements bare",
      a: () => writeOurs(ours, written),
      b: () => writeBare(bare, written),
      limit: 2,
    },
    {
      what: "GET /v1/account / the same look-up bare",
      a: () => get("/v1/account", lookedUp),
      b: () => bareGet("/account", lookedUp),
      limit: 2,
    },
    {
      what: "write of a never-ending daily series / of a single event",
      a: () => writeOurs(ours, field.writtenSeries, { rules: [{ frequency: "daily" }] }),
      b: () => writeOurs(ours, field.writtenSingles),
      limit: 5,
    },
    {
      what: "page of 300 occurrences of series / of 300 single events",
      a: () => get(`${events}&only_managed=true`, field.series),
      b: () => get(`${events}&only_managed=true`, field.singles),
      limit: 1.2,
    },
  ];
  await sameBytes(get(events, middle), bareGet("/events", middle));
  const times = pairs.map(() => ({ a: [] as number[], b: [] as number[] }));
  for (let round = 0; round < ROUNDS; round++) {
    say(`Round ${round + 1} of ${ROUNDS} …`);
    for (const [i, { a, b }] of pairs.entries()) {
      for (let call = 0; call < CALLS; call++) {
        const first = await timed(b());
        const second = await timed(a());
        if (round > 0) {
          times[i]?.b.push(first.ms);
          times[i]?.a.push(second.ms);
        }
      }
    }
    await new Promise((done) => setTimeout(done, REFILL_MS)); // the accounts' own buckets fill again
  }
  return pairs.map(({ what, limit }, i) => {
    const [a, b] = [median(times[i]?.a ?? []), median(times[i]?.b ?? [])];
    return { what, ours: `${a.toFixed(2)} ms`, other: `${b.toFixed(2)} ms`, value: a / b, limit, unit: "×" };
  });
}

interface Pair {
  what: string;
  a: () => Call;
  b: () => Call;
  limit: number;
}

function writeOurs({ origin }: Server, { calendarId, token }: Seeded, recurrence?: object): Call {
  return {
    origin,
    method: "POST",
    path: `/v1/calendars/${calendarId}/events`,
    token,
    body: newEvent(recurrence),
    expect: 202,
  };
}

function writeBare({ origin }: Server, { calendarId, accountId }: Seeded): Call {
  return {
    origin,
    method: "POST",
    path: `/write?calendar=${calendarId}&account=${accountId}`,
    body: newEvent(),
    expect: 202,
  };
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
  return {
    what,
    ours: `${ours.toFixed(0)} ms`,
    other: `${other.toFixed(0)} ms`,
    value: ours / other,
    limit: 0.1,
    unit: "×",
  };
}

/** The comparison is void unless both serialise the same events. */
async function sameBytes(a: Call, b: Call): Promise<void> {
  const [ours, theirs] = [await timed(a), await timed(b)];
  const [left, right] = [JSON.parse(ours.body).events, JSON.parse(theirs.body).events];
  if (left.length !== 300 || JSON.stringify(left) !== JSON.stringify(right))
    throw new Error("the two servers do not answer the same events");
}

/** Many accounts, so that the limits of one do not stop the count. */
async function memory(db: Database, ours: Server): Promise<Row> {
  say(`${MEMORY_REQUESTS.toLocaleString("en")} requests …`);
  const tokens: string[] = [];
  for (let i = 0; i < MEMORY_ACCOUNTS / 10; i++) {
    const clientId = newToken();
    const given = {
      clientId,
      clientSecret: newToken(),
      name: "Memory",
      redirectUris: [],
      compatibilityMode: false,
      plan: "standard" as const,
    };
    await registerApplication(db, given, Date.now());
    for (let n = 0; n < 10; n++) tokens.push((await seedAccount(db, clientId)).token);
  }
  const paths = [
    "/v1/account",
    "/v1/calendars",
    "/v1/events?tzid=Etc/UTC",
    "/v1/free_busy?tzid=Etc/UTC",
    "/v1/userinfo",
  ];
  let next = 0;
  const worker = async () => {
    for (let i = next++; i < MEMORY_REQUESTS; i = next++) {
      const call = {
        origin: ours.origin,
        method: "GET",
        path: paths[i % 5] ?? "",
        token: tokens[(i * 7) % tokens.length],
        expect: 200,
      } as const;
      await timed(call);
    }
  };
  await Promise.all(Array.from({ length: 8 }, worker));
  const megabytes = residentMegabytes(ours);
  return {
    what: "memory after 20,000 requests",
    ours: `${megabytes.toFixed(0)} MB`,
    other: "",
    value: megabytes,
    limit: 450,
    unit: "MB",
  };
}

function report(rows: Row[]): void {
  const table = [
    "| Measurement | Almanac | Compared with | Value | Limit | |",
    "|---|---:|---:|---:|---:|---|",
    ...rows.map(({ what, ours, other, value, limit, unit }) => {
      const digits = unit === "×" ? 2 : 0;
      return `| ${what} | ${ours} | ${other} | ${value.toFixed(digits)} ${unit} | ${limit} ${unit} | ${value <= limit ? "holds" : "**over**"} |`;
    }),
  ].join("\n");
  say(`\n${table}\n`);
  const [cpu] = cpus();
  const head = `# Results of the last \`npm run bench\`\n\nMedians of ${(ROUNDS - 1) * CALLS} calls, one after another, alternating between the two sides; PostgreSQL; ${cpus().length} × ${cpu?.model ?? "?"}.\n\n`;
  if (isWhole) writeFileSync(resolve("tests/bench/results.md"), `${head}${table}\n`);
  if (rows.some(({ value, limit }) => value > limit)) process.exitCode = 1;
}

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}
