import { mixedEvent } from "@/tests/fakes/google/mixed-events";
import { claimsByProcess } from "@/tests/rig/claims";
import { inField } from "@/tests/rig/field";
import { type Life, livesOf } from "@/tests/rig/google/lives";
import { outcome } from "@/tests/rig/google/outcome";
import { type ApiRequest, accepted } from "@/tests/rig/google/requests";
import { leasesEnd, newGoogle, newStage, OWNER, type Process, type Stage, written } from "@/tests/rig/google/stage";
import type { Row } from "@/tests/rig/results";
import { passed, until } from "@/tests/rig/until";

const THEIRS = 4_000;
const FIRST_SYNC_KILLS = 8;
/** What was read stays, so that all kills together may take no longer than the sync. */
const LATEST_SYNC_KILL_MS = 250;
const WRITE_KILLS = 20;
const LATEST_WRITE_KILL_MS = 200;
const ROUNDS_OF_TWO = 10;
const NAMES = ["one", "other"];
const START_MS = 60_000;

/**
 * The service is killed while it reads a calendar at Google for the first time, then after each round of writes; then two processes
 * work side by side and are killed in turn. Others change the calendar all the while.
 */
export async function googleKill9(): Promise<Row[]> {
  const google = await newGoogle();
  const { primary } = google.account(OWNER);
  for (let n = 0; n < THEIRS; n += 1) primary.putEvent(mixedEvent(n));
  try {
    return await inField({ origins: [] }, async (field) => {
      const stage = await newStage(field, google);
      const rounds: Life[][] = [];
      return [
        await killFirstSyncs(stage),
        ...(await killWrites(stage, rounds)),
        ...(await killOneOfTwo(stage, rounds)),
      ];
    });
  } finally {
    await google.close();
  }
}

async function killFirstSyncs(stage: Stage): Promise<Row> {
  const { google, field, profileId } = stage;
  let during = 0;
  for (let kill = 0; kill < FIRST_SYNC_KILLS; kill += 1) {
    change(stage, kill);
    google.requests.length = 0;
    const { name, service } = await stage.launch("single");
    const isReading = () => google.requests.some(({ path }) => path.endsWith("/events"));
    await until(isReading, { within: START_MS, what: "the first page" });
    await passed(Math.random() * LATEST_SYNC_KILL_MS);
    await service.end("SIGKILL");
    await leasesEnd(stage, name);
    const [row] = await field.db.query<{ is: boolean }>(
      "SELECT initial_sync_required AS is FROM profiles WHERE id = $1",
      [profileId],
    );
    if (row?.is) during += 1;
  }
  return atLeast(`Google, kill -9: kills during the first sync of ${THEIRS} events`, during, FIRST_SYNC_KILLS / 2);
}

/** Others create, rename and delete an event, cancel an occurrence of a series and move another, and a guest replies. */
function change({ google }: Stage, n: number): void {
  const { primary } = google.account(OWNER);
  const id = (i: number) => mixedEvent(i).id ?? "";
  const occurrence = (i: number) => primary.event(id(i))?.start ?? {};
  primary.putEvent({ ...mixedEvent(n), id: `new${n}`, summary: `New ${n}` });
  primary.changeEvent(id(n * 20 + 1), { summary: `Changed ${n}` });
  primary.deleteEvent(id(n * 20 + 2));
  primary.deleteOccurrence(id(n * 20 + 5), occurrence(n * 20 + 5));
  primary.reply(id(n * 20 + 4), "bo@example.org", "accepted");
}

/** The writes of the next round: the first of new events, the second of those of the round before, and so on. */
function nextWrites({ calendarId }: Stage, rounds: Life[][]): ApiRequest[] {
  rounds.push(livesOf(rounds.length, `/v1/calendars/${calendarId}/events`));
  const last = rounds.length - 1;
  return rounds.flatMap((lives, round) => lives.flatMap(({ steps }) => steps[last - round]?.request ?? []));
}

/** The service is killed in each round while it is written to and writes to Google, then started again to finish. */
async function killWrites(stage: Stage, rounds: Life[][]): Promise<Row[]> {
  let during = 0;
  let one = await started(stage, "single");
  for (let kill = 0; kill < WRITE_KILLS; kill += 1) {
    change(stage, FIRST_SYNC_KILLS + kill);
    stage.google.requests.length = 0;
    const writes = nextWrites(stage, rounds).map((request) => accepted(() => one.origin, stage.token, request));
    await writing(stage);
    await end(stage, one);
    if ((await stage.field.db.query("SELECT FROM provider_writes LIMIT 1")).length > 0) during += 1;
    one = await started(stage, "single");
    await Promise.all(writes);
    await written(stage);
  }
  const rows = await outcome(stage, { what: `kill -9, ${WRITE_KILLS} times`, origin: one.origin, rounds });
  await one.service.end();
  return [atLeast("Google, kill -9: kills that left writes half done", during, WRITE_KILLS / 2), ...rows];
}

/** Google has got the first write of a round, and maybe more. */
async function writing({ google }: Stage): Promise<void> {
  const isWrite = ({ method, path }: { method: string; path: string }) =>
    method !== "GET" && /\/events(\/|$)/.test(path);
  await until(() => google.requests.some(isWrite), { within: START_MS, what: "the first write" });
  await passed(Math.random() * LATEST_WRITE_KILL_MS);
}

async function started(stage: Stage, kind: string): Promise<Process> {
  const launched = await stage.launch(kind);
  await launched.service.ready();
  return launched;
}

async function end(stage: Stage, { name, service }: Process): Promise<void> {
  await service.end("SIGKILL");
  await leasesEnd(stage, name);
}

/** Two processes on one database, at both of which the application writes. In each second round one of them is killed. */
async function killOneOfTwo(stage: Stage, rounds: Life[][]): Promise<Row[]> {
  const pair = await Promise.all(NAMES.map((name) => started(stage, name)));
  for (let round = 0; round < ROUNDS_OF_TWO; round += 1) {
    change(stage, FIRST_SYNC_KILLS + WRITE_KILLS + round);
    let sent = 0;
    stage.google.requests.length = 0;
    const eitherOrigin = () => {
      sent += 1;
      return pair[sent % pair.length]?.origin ?? "";
    };
    const writes = nextWrites(stage, rounds).map((request) => accepted(eitherOrigin, stage.token, request));
    if (round % 2 === 1) {
      const killed = Math.floor(round / 2) % pair.length;
      await writing(stage);
      await end(stage, pair[killed] as Process);
      pair[killed] = await started(stage, NAMES[killed] ?? "");
    }
    await Promise.all(writes);
    await written(stage);
  }
  const [first] = pair;
  const rows = await outcome(stage, { what: "two processes", origin: first?.origin ?? "", rounds });
  const claims = Object.entries(await claimsByProcess(stage.field.db, "provider_writes"));
  const shares = NAMES.map((kind) => claims.reduce((sum, [name, n]) => sum + (name.startsWith(`${kind}-`) ? n : 0), 0));
  const measured = shares.join(" and ");
  const ok = shares.every((share) => share > 0);
  return [...rows, { what: "Google, two processes: writes claimed per process", measured, limit: "both > 0", ok }];
}

function atLeast(what: string, n: number, least: number): Row {
  return { what, measured: `${n}`, limit: `${least} or more`, ok: n >= least };
}
