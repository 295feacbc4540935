import { resolve } from "node:path";
import { connect, type Database } from "@/server/db/client";
import { migrate } from "@/server/db/migrations";
import { googleConnector } from "@/server/providers/google/connector";
import { median, percentile, type Row } from "@/tests/bench/measure";
import { startReceivers } from "@/tests/bench/receivers";
import { startAlmanac } from "@/tests/bench/servers";
import {
  type Connected,
  checkWhole,
  databaseCpu,
  dueNow,
  newApplication,
  notified,
  openChannel,
  type Post,
  posted,
} from "@/tests/bench/sync-database";
import { startSyncProcess } from "@/tests/bench/sync-process";
import { newSummary } from "@/tests/bench/sync-seed";
import { type GoogleFake, startGoogle } from "@/tests/fakes/google/google";
import type { LoggedRequest } from "@/tests/fakes/google/server";
import type { EventResource } from "@/tests/fakes/google/state";
import { newDatabase } from "@/tests/fakes/new-database";

const LARGE = 10_000;
const SMALL = 100;
const ROUNDS = 3;
const CHANGES = 100;
const DAY_MS = 86_400_000;
const ADA = "ada@example.com";
const BEN = "ben@example.com";

/** The lines about calendars at Google, which a fake plays, measured on a database of their own on the given PostgreSQL server. */
export async function googleRows(address: string, say: (text: string) => void): Promise<Row[]> {
  const database = await newDatabase(address, "almanac_bench");
  const google = await startGoogle({ accounts: [{ email: ADA }, { email: BEN }], knobs: { consent: "given" } });
  const db = connect(database.url);
  try {
    await migrate(database.url, resolve("prisma/migrations"));
    say(`Filling calendars of ${LARGE.toLocaleString("en")} and ${SMALL} events …`);
    for (let i = 0; i < LARGE; i += 1) google.account(ADA).primary.putEvent(event(i));
    for (let i = 0; i < SMALL; i += 1) google.account(BEN).primary.putEvent(event(i));
    const bench: Bench = { db, url: database.url, google, say };
    return [...(await firstSync(bench)), ...(await toNotification(bench))];
  } finally {
    await db.close();
    await google.close();
    await database.close();
  }
}

interface Bench {
  db: Database;
  url: string;
  google: GoogleFake;
  say(text: string): void;
}

/** The i-th event: a meeting of two, in the 240 days that are read or as a weekly series. */
function event(i: number): EventResource {
  const day = new Date(Date.now() + ((i % 240) - 40) * DAY_MS).toISOString().slice(0, 10);
  const hour = String(8 + (i % 10)).padStart(2, "0");
  const at = (minute: string) => ({ dateTime: `${day}T${hour}:${minute}:00`, timeZone: "Europe/Berlin" });
  return {
    ...{ summary: `Planning round ${i}`, location: `Room ${i % 40}`, start: at("00"), end: at("45") },
    description: "What was said last time, and what comes of it. ".repeat(3),
    ...(i % 20 === 0 && { recurrence: ["RRULE:FREQ=WEEKLY;COUNT=10"] }),
    attendees: [
      { email: "ann@example.org", displayName: "Ann", responseStatus: "accepted", organizer: true },
      { email: "bo@example.org", displayName: "Bo", responseStatus: "needsAction" },
    ],
  };
}

/** The same calendar for another application each round, beside what is there already. */
async function firstSync({ db, url, google, say }: Bench): Promise<Row[]> {
  const env = { DATABASE_URL: url, ...environment(google) };
  const [ours, other] = [startSyncProcess("ours", env), startSyncProcess("googleapis", env)];
  const cpu = { ours: [] as number[], database: [] as number[], other: [] as number[] };
  const isList = ({ method, path }: LoggedRequest) => method === "GET" && /\/calendarList$|\/events$/.test(path);
  let [lists, pages] = [0, 0];
  google.notices.mode = "drop"; // nobody listens for them yet
  try {
    for (let round = 0; round <= ROUNDS; round += 1) {
      const asked = { calendar: ADA, authorization: google.accessToken(ADA) };
      google.requests.length = 0;
      const read = await other.ask(asked);
      pages = google.requests.filter(isList).length;
      if (read.events !== LARGE) throw new Error(`Google's client read ${read.events} events`);
      const { profileId } = await connectPerson(db, google, ADA);
      await dueNow(db, profileId);
      google.requests.length = 0;
      const before = await databaseCpu(db);
      const { ms, cpuMs } = await ours.ask(asked);
      const databaseMs = (await databaseCpu(db)) - before;
      await checkWhole(db, profileId, LARGE);
      await db.query("VACUUM ANALYZE");
      lists = google.requests.filter(isList).length;
      const parts = `CPU ${whole(cpuMs)}, of PostgreSQL ${whole(databaseMs)}`;
      say(`First sync of ${LARGE} events: ${whole(ms)}, ${parts}; Google's client alone: CPU ${whole(read.cpuMs)}`);
      if (round === 0) continue;
      cpu.ours.push(cpuMs);
      cpu.database.push(databaseMs);
      cpu.other.push(read.cpuMs);
    }
  } finally {
    for (const { child } of [ours, other]) child.kill("SIGTERM");
    google.notices.mode = "deliver";
  }
  const rate = (times: number[]) => `${((LARGE * 1_000) / median(times)).toFixed(0)}/s`;
  const all = cpu.ours.map((ms, i) => ms + (cpu.database[i] ?? 0));
  return [
    {
      what: "first sync of 10,000 events from Google: list requests / @googleapis/calendar's",
      ...{ ours: `${lists}`, other: `${pages}`, value: lists, limit: 6, unit: "requests" },
    },
    {
      what: "the same: CPU for 1,000 events with PostgreSQL's / @googleapis/calendar listing and parsing them",
      ours: `${rate(all)}, ${rate(cpu.ours)} without PostgreSQL`,
      ...{ other: rate(cpu.other), value: (median(all) * 1_000) / LARGE, limit: 1_000, unit: "ms" },
    },
  ];
}

/** From a change at Google until the notification is posted, by push: the next poll is hours away. */
async function toNotification({ db, url, google, say }: Bench): Promise<Row[]> {
  const posts: Post[] = [];
  const receivers = await startReceivers(1, (body, at) => posts.push({ type: JSON.parse(body).notification.type, at }));
  const [origin = ""] = receivers.origins;
  const { accountId, profileId } = await connectPerson(db, google, BEN);
  await dueNow(db, profileId);
  await openChannel(db, accountId, `${origin}/hook`);
  const service = await startAlmanac({
    ...{ DATABASE_URL: url, ...environment(google), SYNC_POLL_SECONDS: "3600", CALLBACK_ALLOWED_ORIGINS: origin },
  });
  const { primary } = google.account(BEN);
  const [first] = primary.events();
  const times: number[] = [];
  try {
    await posted(posts, "profile_initial_sync_completed");
    for (let n = -2; n < CHANGES; n += 1) {
      const ms = await notified(posts, async () => primary.changeEvent(first?.id ?? "", { summary: newSummary() }));
      if (n >= 0) times.push(ms);
    }
  } finally {
    service.child.kill("SIGTERM");
    receivers.close();
  }
  say(`Change at Google to notification, ms: from ${Math.min(...times)} to ${Math.max(...times)}`);
  const row = (part: number, limit: number): Row => {
    const value = percentile(times, part);
    const what = `change at Google to notification by push, with its second, p${part * 100} of ${CHANGES}`;
    return { what, ours: whole(value), other: "", value, limit, unit: "ms" };
  };
  return [row(0.5, 2_000), row(0.95, 3_000)];
}

function whole(ms: number): string {
  return `${ms.toFixed(0)} ms`;
}

function environment({ origin, client }: GoogleFake): Record<string, string> {
  return { GOOGLE_BASE_URL: origin, GOOGLE_CLIENT_ID: client.id, GOOGLE_CLIENT_SECRET: client.secret };
}

/** Whoever has this account at Google connects it to an application of their own. */
async function connectPerson(db: Database, google: GoogleFake, email: string): Promise<Connected> {
  google.knobs.signedIn = email;
  const { origin, client } = google;
  const connector = googleConnector({ clientId: client.id, clientSecret: client.secret, origin });
  const redirectUri = client.redirectUris[0] ?? "";
  const { url, secret } = connector.signIn.begin({ redirectUri, state: "s" });
  const { headers } = await fetch(url, { redirect: "manual" });
  const query = new URL(headers.get("location") ?? "").searchParams;
  const account = await connector.signIn.finish({ redirectUri, query, secret });
  if ("problem" in account) throw new Error(account.problem);
  return await (await newApplication(db))({ provider: "google", connector, account });
}
