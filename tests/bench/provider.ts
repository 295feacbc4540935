import type { Database } from "@/server/db/client";
import { type Connectable, providerTraits } from "@/server/domain/providers";
import type { Connector, OAuthSignIn } from "@/server/providers/connector";
import { middle, total, written } from "@/tests/bench/cost/table";
import { type Flat, newFlat } from "@/tests/bench/flat-database";
import type { Row } from "@/tests/bench/measure";
import { startAlmanac } from "@/tests/bench/servers";
import {
  type ConnectedProfile,
  checkWhole,
  costOfEach,
  dueNow,
  newApplication,
  notified,
  posted,
} from "@/tests/bench/sync-database";
import { startReader, startSyncs } from "@/tests/bench/sync-process";
import { newSummary } from "@/tests/bench/sync-seed";
import { signInByRedirect } from "@/tests/fakes/connection";
import { openDatabase } from "@/tests/rig/database";
import { percentile } from "@/tests/rig/durations";
import type { Cost } from "@/tests/rig/processor-time";
import { startReceivers } from "@/tests/rig/receivers";
import { seedChannels } from "@/tests/rig/seed";

const LARGE = 10_000;
const SMALL = 100;
const ROUNDS = 3;
const CHANGES = 100;
export const ADA = "ada@example.com";
export const BEN = "ben@example.com";

interface Fake {
  client: { redirectUris: string[] };
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
  const database = await openDatabase(address, "almanac_bench");
  const flat = await newFlat(address);
  const benched = await start();
  const { db } = database;
  try {
    say(`Filling calendars of ${LARGE.toLocaleString("en")} and ${SMALL} events …`);
    benched.fill(ADA, LARGE);
    benched.fill(BEN, SMALL);
    const bench: Bench = { db, url: database.url, flat, benched, title: providerTraits[benched.provider].label, say };
    return [...(await firstSync(bench)), ...(await toNotification(bench))];
  } finally {
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
    await Promise.all([ours, other].map((one) => one.close()));
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
  const { posts, origins, urls, close } = await startReceivers(1);
  const { accountId, profileId } = await connectPerson(db, benched, BEN);
  await dueNow(db, profileId);
  await seedChannels(db, { accountId, urls });
  const service = await startAlmanac({
    ...{
      DATABASE_URL: url,
      ...benched.environment,
      SYNC_POLL_SECONDS: "3600",
      CALLBACK_ALLOWED_ORIGINS: origins.join(),
    },
  });
  const times: number[] = [];
  try {
    await posted(posts, "profile_initial_sync_completed");
    for (let n = -2; n < CHANGES; n += 1) {
      const ms = await notified(posts, async () => benched.rename(BEN, newSummary()));
      if (n >= 0) times.push(ms);
    }
  } finally {
    await service.end();
    await close();
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
async function connectPerson(db: Database, benched: BenchedProvider, email: string): Promise<ConnectedProfile> {
  const { fake, connector, provider } = benched;
  const account = await signInByRedirect(connector, fake.client.redirectUris[0] ?? "", email);
  return await (await newApplication(db))({ provider, connector, account });
}
