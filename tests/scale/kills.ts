import { issueGrant } from "@/server/store/grants/tokens";
import { freePort } from "@/tests/fakes/free-port";
import { mixedEvent } from "@/tests/fakes/google/mixed-events";
import { connectGoogleAccount, googleEnv } from "@/tests/fakes/google-connection";
import { noteClaims } from "@/tests/rig/claims";
import { named } from "@/tests/rig/database";
import { type Field, inField } from "@/tests/rig/field";
import { type Life, livesOf } from "@/tests/rig/google/lives";
import { outcome } from "@/tests/rig/google/outcome";
import { accepted } from "@/tests/rig/google/requests";
import { leasesEnd, newGoogle, OWNER, type Stage, written } from "@/tests/rig/google/stage";
import { type Receivers, startReceivers } from "@/tests/rig/receivers";
import type { Row } from "@/tests/rig/results";
import type { Service } from "@/tests/rig/service";
import { passed, until } from "@/tests/rig/until";
import { type Death, metDeaths, noteOwners, ownersOf, STORED_WITHIN_MS, unexplained } from "@/tests/scale/owners";
import { type ProcessorWait, watchProcessorWait } from "@/tests/scale/processor-wait";
import { REDIS } from "@/tests/scale/redis";

const KILLS = 50;
const THEIRS = 200;
const ANSWER_AFTER_MS = 100;
const HOSTS = 20;
/** So many more deliveries to each host in each round. */
const EACH = 5;
const WRITE_EVERY = 5;
const LONGEST_ROUND_MS = 3_000;
const PROVIDER_MS = 50;
const END_MS = 900_000;
const ROLES = ["web", "worker", "worker", "worker"] as const;

/** One of the places that a process has, and the process that is there now. */
interface Place {
  role: (typeof ROLES)[number];
  port: number;
  origin: string;
  name: string;
  service: Service;
  processorWait: ProcessorWait;
}

/** A web process and three workers on one database, of which one after another is killed, whatever it is doing, and started again. */
export async function kills(): Promise<Row[]> {
  const google = await newGoogle();
  const receivers = await startReceivers(HOSTS, { answerAfterMs: ANSWER_AFTER_MS });
  const { primary } = google.account(OWNER);
  for (let n = 0; n < THEIRS; n += 1) primary.putEvent(mixedEvent(n));
  try {
    return await inField(receivers, async (field) => {
      const [application] = await field.db.query<{ id: string }>("SELECT id FROM applications LIMIT 1");
      const { accountId, profileId } = await connectGoogleAccount(field.db, google, application?.id ?? "");
      const [calendar] = await field.db.query<{ id: string }>("SELECT id FROM calendars WHERE profile_id = $1", [
        profileId,
      ]);
      const { access } = await issueGrant(field.db.query, { accountId, now: Date.now() });
      google.faults.next({ delay: PROVIDER_MS, times: Number.MAX_SAFE_INTEGER });
      const stage: Stage = {
        ...{ field, google, accountId, profileId, calendarId: calendar?.id ?? "", token: access },
        launch: () => Promise.reject(new Error("processes have places here")),
      };
      return await suffered(stage, receivers);
    });
  } finally {
    await receivers.close();
    await google.close();
  }
}

async function suffered(stage: Stage, receivers: Receivers): Promise<Row[]> {
  const { field } = stage;
  await noteOwners(field.db);
  await noteClaims(field.db, "provider_writes");
  await noteClaims(field.db, "profile_syncs");
  const launch = places(stage);
  const all: Place[] = [];
  for (const role of ROLES) all.push(await launch(role));
  const [web] = all;
  if (!web) throw new Error("there is no web process");
  await web.service.ready();
  const channels = await field.channels(receivers.urls);
  const ids: string[] = [];
  const rounds: Life[][] = [];
  const writes: Promise<void>[] = [];
  const deaths: Death[] = [];
  const hit: Record<string, number> = { web: 0, worker: 0 };
  for (let kill = 0; kill < KILLS; kill += 1) {
    change(stage, kill);
    if (kill % WRITE_EVERY === 0) {
      await Promise.all(writes);
      await written(stage); // an event that is written again before that is sent once, with one email
      writes.splice(0, writes.length, ...nextWrites(stage, rounds, () => web.origin));
    }
    const before = receivers.posts.length;
    ids.push(...(await field.deliveries(channels, EACH)));
    // The deliveries of a round take a fraction of it: every other kill is of a worker while they are sent.
    const isAmidst = kill % 2 === 1;
    if (isAmidst)
      await until(() => receivers.posts.length > before, { within: END_MS, what: "a delivery of the round" });
    await passed(Math.random() * (isAmidst ? 2 * ANSWER_AFTER_MS : LONGEST_ROUND_MS));
    const possible = isAmidst ? all.filter(({ role }) => role === "worker") : all;
    const place = possible[Math.floor(Math.random() * possible.length)] as Place;
    const { diedAt, spentSince } = place.processorWait.kill();
    await place.service.end("SIGKILL");
    deaths.push({ name: place.name, at: diedAt, spentSince });
    await leasesEnd(stage, place.name);
    hit[place.role] = (hit[place.role] ?? 0) + 1;
    Object.assign(place, await launch(place.role, place.port));
  }
  await Promise.all(writes);
  await Promise.all(all.map(({ service }) => service.ready()));
  await written(stage);
  await until(async () => (await field.pending()) === 0, { within: END_MS, what: "the end of all deliveries" });
  const seen = await outcome(stage, {
    what: `${KILLS} kills of ${ROLES.length} processes`,
    origin: web.origin,
    rounds,
  });
  return [...(await ofDeliveries(field, { ids, receivers, deaths, hit })), ...seen];
}

/** Starts a process for a place, a new one or one whose process was killed. */
function places({ field, google }: Stage) {
  let launched = 0;
  let hooks = "";
  return async (role: Place["role"], known?: number): Promise<Place> => {
    launched += 1;
    const name = `${role}-${launched}`;
    const port = known ?? (await freePort());
    const origin = `http://127.0.0.1:${port}`;
    if (role === "web") hooks = origin;
    const service = await field.launch({
      ...{ ALMANAC_ROLE: role, PORT: String(port), BASE_URL: hooks, REDIS_URL: REDIS },
      ...{ DATABASE_URL: named(field.url, name), DATABASE_POOL: "8", SWEEP_SECONDS: "1" },
      ...{ SYNC_POLL_SECONDS: "5", SYNC_QUIET_POLL_SECONDS: "5" },
      ...googleEnv(google),
    });
    return { role, port, origin, name, service, processorWait: watchProcessorWait(service.child.pid ?? 0) };
  };
}

/** Others create, rename and delete events at Google. */
function change({ google }: Stage, n: number): void {
  const { primary } = google.account(OWNER);
  const id = (i: number) => mixedEvent(i).id ?? "";
  primary.putEvent({ ...mixedEvent(n), id: `new${n}`, summary: `New ${n}` });
  primary.changeEvent(id(n * 3), { summary: `Changed ${n}` });
  if (n % 2 === 0) primary.deleteEvent(id(n * 3 + 1));
}

function nextWrites({ calendarId, token }: Stage, rounds: Life[][], origin: () => string): Promise<void>[] {
  rounds.push(livesOf(rounds.length, `/v1/calendars/${calendarId}/events`));
  const last = rounds.length - 1;
  const requests = rounds.flatMap((lives, round) => lives.flatMap(({ steps }) => steps[last - round]?.request ?? []));
  return requests.map((request) => accepted(origin, token, request));
}

interface Suffered {
  ids: readonly string[];
  receivers: Receivers;
  deaths: readonly Death[];
  hit: Readonly<Record<string, number>>;
}

async function ofDeliveries({ db }: Field, { ids, receivers, deaths, hit }: Suffered): Promise<Row[]> {
  const rows = await db.query<{ id: string }>("SELECT id FROM deliveries WHERE state = 'delivered'");
  const delivered = new Set(rows.map(({ id }) => id));
  const received = new Set(receivers.posts.map(({ id }) => id));
  const lost = ids.filter((id) => !delivered.has(id) || !received.has(id)).length;
  const doubled = receivers.posts.length - received.size;
  const owners = await ownersOf(db);
  const { others, late } = unexplained(receivers.posts, owners, deaths);
  const met = metDeaths(receivers.posts, owners, deaths);
  const ages = late.map((one) => [one.ageMs, one.waitedMs, one.ranMs].map((ms) => ms.toFixed(0)).join(" / "));
  const byClock =
    late.length === 0
      ? ""
      : `; by the clock ${late.length}, after ms / of them without a processor / in which it ran: ${ages.join(", ")}`;
  return [
    {
      what: `${KILLS} kills of ${ROLES.length} processes: deliveries lost`,
      measured: `${lost} of ${ids.length} (${hit.web} kills of the web process, ${hit.worker} of the three workers)`,
      limit: "0",
      ok: lost === 0,
    },
    {
      what: `${KILLS} kills of ${ROLES.length} processes: notifications doubled that were not in flight in the killed process, or answered within the last ${STORED_WITHIN_MS} ms in which it ran or had nothing to do`,
      measured: `${others} (${met} of the kills met deliveries; ${doubled} doubled in all${byClock})`,
      limit: "0",
      ok: others === 0 && met > 0,
    },
  ];
}
