import { setTimeout as wait } from "node:timers/promises";
import { clock } from "@/server/clock";
import { db } from "@/server/db/client";
import { databaseNow } from "@/server/db/database-time.sql";
import { run, runOne } from "@/server/db/statement";
import type { Background } from "@/server/jobs/background";
import { keepChores } from "@/server/jobs/chore-state.sql";
import { ROUND_TRIP, roundTripEvent } from "@/server/jobs/functions/round-trip";
import { log } from "@/server/log";

/** The registration comes first, if it comes. */
const FIRST_AFTER_MS = 5_000;
const EVERY_MS = 600_000;
/** While runs do not come back, so that one knows soon when they do. */
const AGAIN_MS = 60_000;
/** A crowded Inngest server takes some ten seconds for a run. */
const WITHIN_MS = 30_000;
const LOOK_MS = 500;

export interface RoundTrip {
  isOk: boolean;
  /** How long the run took, or was waited for. */
  ms: number;
}

declare global {
  /** The last one; undefined where there is no Inngest server, or none has ended yet. */
  var almanacRoundTrip: RoundTrip | undefined;
  /** What the last call of the Inngest server was answered with. Next loads the route apart from the jobs. */
  var almanacInngestStatus: number | undefined;
}

/** Has a run come back from the Inngest server, soon and then every ten minutes, and says so when none does (ADR 91). Gives what ends it. */
export function startRoundTrips({ client }: Background, registered: Promise<void>): () => Promise<void> {
  const over = new AbortController();
  const pause = (ms: number) => wait(ms, undefined, { ref: false, signal: over.signal }).catch(() => undefined);
  const repeated = async () => {
    await Promise.race([registered, pause(FIRST_AFTER_MS)]);
    while (!over.signal.aborted) {
      const trip = await roundTripOnce(client, { isOver: () => over.signal.aborted, pause }).catch(() => undefined);
      if (trip) note(trip); // else the database is away, which others say
      await pause(trip?.isOk ? EVERY_MS : AGAIN_MS);
    }
  };
  const done = repeated();
  return async () => {
    over.abort();
    await done;
  };
}

interface Waiting {
  isOver(): boolean;
  pause(ms: number): Promise<unknown>;
}

/** Undefined: the process ends meanwhile. */
async function roundTripOnce(client: Background["client"], { isOver, pause }: Waiting): Promise<RoundTrip | undefined> {
  await run(db().query, keepChores, [[ROUND_TRIP]]);
  const { now } = await runOne(db().query, databaseNow);
  const began = clock().monotonic();
  const passed = () => clock().monotonic() - began;
  // Sending tries several times by itself; whether the run comes back says all.
  const sent = client.send(roundTripEvent).catch(() => undefined);
  while (passed() < WITHIN_MS && !isOver()) {
    await pause(LOOK_MS);
    const back = await db().prisma.chore.count({ where: { id: ROUND_TRIP, doneAt: { gt: new Date(now) } } });
    if (back > 0) return { isOk: true, ms: passed() };
  }
  await Promise.race([sent, pause(0)]);
  return isOver() ? undefined : { isOk: false, ms: passed() };
}

function note(trip: RoundTrip): void {
  const wasOk = globalThis.almanacRoundTrip?.isOk ?? true;
  globalThis.almanacRoundTrip = trip;
  const logger = log({ module: "jobs" });
  if (trip.isOk && !wasOk) logger.info("runs of Inngest come back again");
  if (trip.isOk || !wasOk) return;
  const status = globalThis.almanacInngestStatus ?? null;
  logger.warn(
    { lastStatus: status, hint: hintOf(status) },
    "no run of Inngest comes back: chores are done without it when they are late",
  );
}

/** What is mostly wrong, by what Inngest's last call of this process was answered with. */
function hintOf(status: number | null): string {
  if (status === null)
    return "Inngest has not called this process: check INNGEST_BASE_URL, INNGEST_EVENT_KEY, and that it reaches the workers at INNGEST_SERVE_ORIGIN";
  if (status === 401) return "its signature was refused: check that INNGEST_SIGNING_KEY is the Inngest server's";
  return "check the log of the Inngest server";
}
