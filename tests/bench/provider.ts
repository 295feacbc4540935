import { resolve } from "node:path";
import { connect, type Database } from "@/server/db/client";
import { migrate } from "@/server/db/migrations";
import { type Connectable, providerTraits } from "@/server/domain/providers";
import type { Connector, OAuthSignIn } from "@/server/providers/connector";
import type { Cost } from "@/tests/bench/cost/stage";
import { middle, total, written } from "@/tests/bench/cost/table";
import { type Flat, newFlat } from "@/tests/bench/flat-database";
import { percentile, type Row } from "@/tests/bench/measure";
import { startReceivers } from "@/tests/bench/receivers";
import { startAlmanac } from "@/tests/bench/servers";
import {
  type Connected,
  checkWhole,
  costOfEach,
  dueNow,
  newApplication,
  notified,
  openChannel,
  type Post,
  posted,
} from "@/tests/bench/sync-database";
import { startReader, startSyncs } from "@/tests/bench/sync-process";
import { newSummary } from "@/tests/bench/sync-seed";
import { newDatabase } from "@/tests/fakes/new-database";

const LARGE = 10_000;
const SMALL = 100;
const ROUNDS = 3;
const CHANGES = 100;
export const ADA = "ada@example.com";
export const BEN = "ben@example.com";

interface Fake {
  client: { redirectUris: string[] };
  knobs: { signedIn?: string };
  notices: { mode: "deliver" | "drop" | "hold" };
  requests: { method: string; path: string }[];
  accessToken(email: string): string;
  close(): Promise<void>;
}

/** A provider whose calendars are read by its events, and which a fake plays. */
export interface BenchedProvider {
  provider: Connectable;
  fake: Fake;
  connector: Connector & { signIn: OAuthSignIn };
  environment: Record<string, string>;
  /** The provider's own client, with which bare-reader.ts reads the same. */
  client: string;
  /** How many times the reader's processor time the service may take. */
  mostTimesBare: number;
  /** The calendar of a person, as the task is asked for it. */
  calendar(email: string): string;
  /** Puts so many events into the calendar of a person. */
  fill(email: string, events: number): void;
  /** Another person renames an event in the calendar of a person. */
  rename(email: string, summary: string): void;
  /** Whether a request is one of those that read events. */
  isRead(request: string): boolean;
  mostReads: number;
}

/** The lines about calendars at a provider, measured on a database of their own on the given PostgreSQL server. */
export async function providerRows(
  address: string,
  say: (text: string) => void,
  start: () => Promise<BenchedProvider>,
): Promise<Row[]> {
  const database = await newDatabase(address, "almanac_bench");
  const flat = await newFlat(address);
  const benched = await start();
  const db = connect(database.url);
  try {
    await migrate(database.url, resolve("prisma/migrations"));
    say(`Filling calendars of ${LARGE.toLocaleString("en")} and ${SMALL} events …`);
    benched.fill(ADA, LARGE);
    benched.fill(BEN, SMALL);
    const bench: Bench = { db, url: database.url, flat, benched, title: providerTraits[benched.provider].label, say };
    return [...(await firstSync(bench)), ...(await toNotification(bench))];
  } finally {
    await db.close();
    await benched.fake.close();
    await flat.close();
    await database.close();
  }
}

interface Bench {
  db: Database;
  url: string;
  flat: Flat;
  benched: BenchedProvider;
  title: string;
  say(text: string): void;
}

/** The same calendar for another application each round, beside what is there already. */
async function firstSync({ db, url, flat, benched, title, say }: Bench): Promise<Row[]> {
  const { fake, client } = benched;
  const env = { DATABASE_URL: url, ...benched.environment };
  const [ours, other] = [startSyncs(env), startReader(benched.provider, flat.url, env)];
  const costs = { ours: [] as Cost[], other: [] as Cost[] };
  const reads = () => fake.requests.filter(({ method, path }) => benched.isRead(`${method} ${path}`)).length;
  let [lists, pages] = [0, 0];
  fake.notices.mode = "drop"; // nobody listens for them yet
  try {
    for (let round = 0; round <= ROUNDS; round += 1) {
      const asked = { calendar: benched.calendar(ADA), authorization: fake.accessToken(ADA) };
      fake.requests.length = 0;
      const read = await costOfEach(flat.db, LARGE, () => other.ask(asked));
      pages = reads();
      if (read.events !== LARGE) throw new Error(`${client} read ${read.events} events`);
      const { profileId } = await connectPerson(db, benched, ADA);
      await dueNow(db, profileId);
      fake.requests.length = 0;
      const { ms, cost } = await costOfEach(db, LARGE, () => ours.ask());
      await checkWhole(db, profileId, LARGE);
      await db.query("VACUUM ANALYZE");
      lists = reads();
      say(`First sync of ${LARGE} events: ${whole(ms)}, each ${written(cost)}; ${client}: ${written(read.cost)}`);
      if (round === 0) continue;
      costs.ours.push(cost);
      costs.other.push(read.cost);
    }
  } finally {
    for (const { child } of [ours, other]) child.kill("SIGTERM");
    fake.notices.mode = "deliver";
  }
  const [our, theirs] = [middle(costs.ours), middle(costs.other)];
  return [
    {
      what: `first sync of 10,000 events from ${title}: requests / ${client}'s`,
      ...{ ours: `${lists}`, other: `${pages}`, value: lists, limit: benched.mostReads, unit: "requests" },
    },
    {
      what: `the same: processor time of an event / ${client} and a flat row for each occurrence`,
      ...{ ours: written(our), other: written(theirs) },
      ...{ value: total(our) / total(theirs), limit: benched.mostTimesBare, unit: "×" },
    },
    {
      what: "the same: processor time of 1,000 events",
      ...{ ours: whole(total(our) * 1_000), other: "", value: total(our) * 1_000, limit: 1_000, unit: "ms" },
    },
  ];
}

/** From a change at the provider until the notification is posted, by push: the next poll is hours away. */
async function toNotification({ db, url, benched, title, say }: Bench): Promise<Row[]> {
  const posts: Post[] = [];
  const receivers = await startReceivers(1, (body, at) => posts.push({ type: JSON.parse(body).notification.type, at }));
  const [origin = ""] = receivers.origins;
  const { accountId, profileId } = await connectPerson(db, benched, BEN);
  await dueNow(db, profileId);
  await openChannel(db, accountId, `${origin}/hook`);
  const service = await startAlmanac({
    ...{ DATABASE_URL: url, ...benched.environment, SYNC_POLL_SECONDS: "3600", CALLBACK_ALLOWED_ORIGINS: origin },
  });
  const times: number[] = [];
  try {
    await posted(posts, "profile_initial_sync_completed");
    for (let n = -2; n < CHANGES; n += 1) {
      const ms = await notified(posts, async () => benched.rename(BEN, newSummary()));
      if (n >= 0) times.push(ms);
    }
  } finally {
    await service.stop();
    receivers.close();
  }
  say(`Change at ${title} to notification, ms: from ${Math.min(...times)} to ${Math.max(...times)}`);
  const row = (part: number, limit: number): Row => {
    const value = percentile(times, part);
    const what = `change at ${title} to notification by push, with its second, p${part * 100} of ${CHANGES}`;
    return { what, ours: whole(value), other: "", value, limit, unit: "ms" };
  };
  return [row(0.5, 2_000), row(0.95, 3_000)];
}

function whole(ms: number): string {
  return `${ms.toFixed(0)} ms`;
}

/** Whoever has this account at the provider connects it to an application of their own. */
async function connectPerson(db: Database, benched: BenchedProvider, email: string): Promise<Connected> {
  const { fake, connector, provider } = benched;
  fake.knobs.signedIn = email;
  const redirectUri = fake.client.redirectUris[0] ?? "";
  const { url, secret } = connector.signIn.begin({ redirectUri, state: "s" });
  const { headers } = await fetch(url, { redirect: "manual" });
  const query = new URL(headers.get("location") ?? "").searchParams;
  const account = await connector.signIn.finish({ redirectUri, query, secret });
  if ("problem" in account) throw new Error(account.problem);
  return await (await newApplication(db))({ provider, connector, account });
}
