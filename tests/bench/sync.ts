import { request } from "undici";
import type { Database } from "@/server/db/client";
import { middle, total, written } from "@/tests/bench/cost/table";
import { type Flat, newFlat } from "@/tests/bench/flat-database";
import type { Row } from "@/tests/bench/measure";
import { startAlmanac } from "@/tests/bench/servers";
import {
  type ConnectedProfile,
  checkWhole,
  costOfEach,
  databaseCpu,
  dueNow,
  notified,
} from "@/tests/bench/sync-database";
import { startReader, startSyncs, type TaskInput } from "@/tests/bench/sync-process";
import { newConnections, newSummary } from "@/tests/bench/sync-seed";
import { basic, type Login } from "@/tests/fakes/dav-server";
import { type FilledRadicale, nameOf, resource, startFilledRadicale } from "@/tests/fakes/filled-radicale";
import { startFront } from "@/tests/fakes/forward";
import { openDatabase } from "@/tests/rig/database";
import { median } from "@/tests/rig/durations";
import type { Cost } from "@/tests/rig/processor-time";
import { startReceivers } from "@/tests/rig/receivers";
import { seedChannels } from "@/tests/rig/seed";
import { passed } from "@/tests/rig/until";

const LARGE = 10_000;
const SMALL = 100;
const ROUNDS = 3;
const CHANGES = 15;

/** The lines about calendars at a CalDAV server, measured on a database of their own on the given PostgreSQL server. */
export async function syncRows(address: string, say: (text: string) => void): Promise<Row[]> {
  const database = await openDatabase(address, "almanac_bench");
  const flat = await newFlat(address);
  const radicale = await startFilledRadicale();
  const { db } = database;
  try {
    say(`Filling calendars of ${LARGE.toLocaleString("en")} and ${SMALL} events …`);
    radicale.fill(radicale, radicale.calendar, LARGE);
    radicale.fill(radicale.second, radicale.second.calendar, SMALL);
    const bench: Bench = { db, url: database.url, flat, radicale, connectTo: await newConnections(db), say };
    await warm(bench);
    return [...(await firstSync(bench)), ...(await incremental(bench)), await toNotification(bench)];
  } finally {
    await radicale.close();
    await flat.close();
    await database.close();
  }
}

interface Bench {
  db: Database;
  url: string;
  flat: Flat;
  radicale: FilledRadicale;
  connectTo(entry: string, login: Login): Promise<ConnectedProfile>;
  say(text: string): void;
}

/** Radicale reads every file once and keeps what it found. */
async function warm({ radicale }: Bench): Promise<void> {
  const body = `<?xml version="1.0"?><propfind xmlns="DAV:"><prop><sync-token/></prop></propfind>`;
  const headers = { authorization: basic(radicale), depth: "0" };
  const patience = { headersTimeout: 600_000, bodyTimeout: 600_000 };
  const answer = await request(radicale.calendar, { method: "PROPFIND", headers, body, ...patience });
  await answer.body.dump();
}

/** The same calendar for another application each round, beside what is there already. tsdav asks for as many at once as the service does, which is what iCloud takes. */
async function firstSync(bench: Bench): Promise<Row[]> {
  const { db, flat, radicale, say } = bench;
  const asked = { calendar: radicale.calendar, authorization: basic(radicale) };
  const [ours, reader] = [startWorker(bench, radicale.url), startReader("caldav", flat.url)];
  const times = { ours: [] as number[], other: [] as number[] };
  const costs = { ours: [] as Cost[], other: [] as Cost[] };
  try {
    for (let round = 0; round <= ROUNDS; round++) {
      const other = await costOfEach(flat.db, LARGE, () => reader.ask(asked));
      if (other.events !== LARGE) throw new Error("tsdav did not read every event");
      const connectTo = await newConnections(db);
      const { profileId } = await connectTo(radicale.url, radicale);
      await dueNow(db, profileId);
      const { ms, cost } = await costOfEach(db, LARGE, () => ours.ask());
      await checkWhole(db, profileId, LARGE);
      await db.query("VACUUM ANALYZE");
      const theirs = `${seconds(other.ms)}, ${written(other.cost)}`;
      say(`First sync of ${LARGE} events: ${seconds(ms)}, each ${written(cost)}; tsdav: ${theirs}`);
      if (round === 0) continue;
      times.ours.push(ms);
      times.other.push(other.ms);
      costs.ours.push(cost);
      costs.other.push(other.cost);
    }
  } finally {
    await Promise.all([ours, reader].map((one) => one.close()));
  }
  const [a, b] = [median(times.ours), median(times.other)];
  const [our, theirs] = [middle(costs.ours), middle(costs.other)];
  const what = "first sync of 10,000 events from a CalDAV server";
  const reading = "tsdav, ical.js and a flat row for each occurrence";
  return [
    {
      what: `${what}, processor time of each / ${reading}`,
      ...{ ours: written(our), other: written(theirs), value: total(our) / total(theirs), limit: 2, unit: "×" },
    },
    {
      what: `${what}: the time for all / the same`,
      ...{ ours: seconds(a), other: seconds(b), value: a / b, limit: 1.5, unit: "×" },
    },
  ];
}

function seconds(ms: number): string {
  return `${(ms / 1_000).toFixed(2)} s`;
}

/** One change of a calendar, by the other person's client: the text that was not there before. */
async function change({ user, password }: Login, calendar: string, n: number): Promise<string> {
  const summary = newSummary();
  const headers = { authorization: basic({ user, password }), "content-type": "text/calendar; charset=utf-8" };
  const answer = await fetch(`${calendar}${nameOf(n)}.ics`, { method: "PUT", headers, body: resource(n, summary) });
  if (!answer.ok) throw new Error(`a change was refused: ${answer.status}`);
  return summary;
}

interface Side {
  name: string;
  login: Login;
  calendar: string;
  profileId: string;
  times: number[];
  /** Of each sync, how long its requests waited for the server. */
  server: number[];
  /** Of each sync, processor milliseconds of the process and PostgreSQL. */
  cpu: number[];
  tsdav: number[];
  tsdavCpu: number[];
  token?: string;
}

/** The server's part grows with the calendar where its tokens do (Radicale reads every version for one): ours is a line of its own. */
async function incremental(bench: Bench): Promise<Row[]> {
  const { db, radicale, say } = bench;
  let waits: number[] = [];
  let atLeast: number[] = [];
  const front = await startFront(
    () => Number(new URL(radicale.url).port),
    async (_, handOn) => {
      const began = performance.now();
      const answer = await handOn();
      const took = performance.now() - began;
      const least = atLeast[waits.length] ?? 0;
      waits.push(Math.max(took, least));
      if (took < least) await passed(least - took);
      return answer;
    },
  );
  const entry = `http://127.0.0.1:${front.port}/`;
  const side = async (name: string, login: Login, calendar: string): Promise<Side> => {
    const { profileId } = await bench.connectTo(entry, login);
    return { name, login, calendar, profileId, times: [], server: [], cpu: [], tsdav: [], tsdavCpu: [] };
  };
  const large = await side("10,000", radicale, radicale.calendar);
  const small = await side("100", radicale.second, radicale.second.calendar);
  const [ours, tsdav] = [startWorker(bench, entry), startReader("changes", bench.flat.url)];
  const asking = ({ login, calendar, token }: Side): TaskInput => ({ calendar, authorization: basic(login), token });
  /** Requests that are responded to as fast as those before: a process that waits looks for work all the while. */
  const synced = async (one: Side, number: number, slowly: number[]) => {
    const summary = await change(one.login, one.calendar, number);
    await dueNow(db, one.profileId);
    [waits, atLeast] = [[], slowly];
    const before = await databaseCpu(db);
    const { ms, cpuMs } = await ours.ask();
    const cpu = cpuMs + (await databaseCpu(db)) - before;
    atLeast = [];
    return { summary, ms, cpu, waits };
  };
  try {
    for (let n = -2; n < CHANGES; n++) {
      let slowly: number[] = [];
      for (const one of [large, small]) {
        const sync = await synced(one, n + 10, []);
        if (one === large) slowly = sync.waits;
        const server = sync.waits.reduce((sum, took) => sum + took, 0);
        // The same event, so that tsdav reads one change.
        const { cpu, summary } = one === large ? sync : await synced(one, n + 10, slowly);
        const flatBefore = await databaseCpu(bench.flat.db);
        const read = await tsdav.ask(asking(one));
        const readCpu = read.cpuMs + (await databaseCpu(bench.flat.db)) - flatBefore;
        const isFirst = one.token === undefined;
        one.token = read.token;
        if (n < 0) continue;
        await checkRead(db, summary);
        if (!isFirst && read.events !== 1) throw new Error(`tsdav read ${read.events} changes`);
        one.times.push(sync.ms);
        one.server.push(server);
        one.cpu.push(cpu);
        one.tsdav.push(read.ms);
        one.tsdavCpu.push(readCpu);
      }
    }
  } finally {
    await Promise.all([ours, tsdav].map((one) => one.close()));
    await front.close();
  }
  const own = ({ times, server }: Side) => median(times.map((ms, i) => ms - (server[i] ?? 0)));
  const cpu = (side: Side) => median(side.cpu);
  for (const side of [large, small]) {
    const parts = `Radicale ${ms(median(side.server))}, ourselves ${ms(own(side))} (processor time ${ms(cpu(side))}); tsdav alone ${ms(median(side.tsdav))}`;
    say(`One change in a calendar of ${side.name}: ${ms(median(side.times))}, of it ${parts}`);
  }
  // The server's own work grows with the calendar, whoever asks: what counts is that we add nothing to it.
  const growth = median(large.times) / median(small.times);
  const alone = median(large.tsdav) / median(small.tsdav);
  const times = (value: number) => `${value.toFixed(1)} ×`;
  const [our, theirs] = [cpu(small), median(small.tsdavCpu)];
  return [
    {
      what: "incremental sync with one change, processor time with PostgreSQL's / tsdav, ical.js and a flat row for each occurrence",
      ...{ ours: ms(our), other: ms(theirs), value: our / theirs, limit: 4, unit: "×" },
    },
    {
      what: "incremental sync with one change: growth from 100 to 10,000 events / tsdav's alone",
      ...{ ours: times(growth), other: times(alone), value: growth / alone, limit: 1.5, unit: "×" },
    },
    {
      what: "the same in processor time, with PostgreSQL's, at a server that takes as long: 10,000 / 100",
      ...{ ours: ms(cpu(large)), other: ms(cpu(small)), value: cpu(large) / cpu(small), limit: 1.5, unit: "×" },
    },
  ];
}

function ms(value: number): string {
  return `${value.toFixed(1)} ms`;
}

async function checkRead(db: Database, summary: string): Promise<void> {
  const rows = await db.query("SELECT FROM events WHERE summary = $1", [summary]);
  if (rows.length !== 1) throw new Error("a change was not read");
}

const POLL_S = 5;
const JITTER = 1.1;
const MARGIN_MS = 2_000;
const NOTIFIED = 5;

/** From the answer to the other person's client until the notification is posted, at several moments between two polls. */
async function toNotification(bench: Bench): Promise<Row> {
  const { db, radicale, say } = bench;
  const { second } = radicale;
  const { posts, origins, urls, close } = await startReceivers(1);
  const { accountId, profileId } = await bench.connectTo(radicale.url, second);
  await dueNow(db, profileId);
  await seedChannels(db, { accountId, urls });
  const service = await startAlmanac({
    DATABASE_URL: bench.url,
    ICLOUD_CALDAV_URL: new URL(radicale.url).origin,
    SYNC_POLL_SECONDS: String(POLL_S),
    SYNC_QUIET_POLL_SECONDS: String(POLL_S),
    CALLBACK_ALLOWED_ORIGINS: origins.join(),
  });
  const times: number[] = [];
  const pause = () => passed((times.length * POLL_S * 1_000) / NOTIFIED);
  try {
    await notified(posts, () => change(second, second.calendar, 50)); // and by then it is in step
    while (times.length < NOTIFIED) {
      await pause();
      times.push(await notified(posts, () => change(second, second.calendar, 51 + times.length)));
    }
  } finally {
    await service.end();
    await close();
  }
  say(`Change to notification, ms: ${times.map((ms) => ms.toFixed(0)).join(", ")}`);
  const what = "change at the server to notification, longest of five, polled every 5 s";
  const longest = Math.max(...times);
  const limit = POLL_S * 1_000 * JITTER + MARGIN_MS;
  return { what, ours: ms(longest), other: "", value: longest, limit, unit: "ms" };
}

/** A process of its own that syncs, whose provider is at `entry`. */
function startWorker({ url }: Bench, entry: string) {
  return startSyncs({ DATABASE_URL: url, ICLOUD_CALDAV_URL: new URL(entry).origin });
}
