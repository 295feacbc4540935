import { setTimeout as wait } from "node:timers/promises";
import { clock } from "@/server/clock";
import { db } from "@/server/db/client";
import { databaseNow } from "@/server/db/database-time.sql";
import { run, runOne } from "@/server/db/statement";
import type { InngestServer } from "@/server/jobs/background";
import { keepChores } from "@/server/jobs/chore-state.sql";
import { ROUND_TRIP, roundTripEvent } from "@/server/jobs/functions/round-trip";
import { lastInngestStatus } from "@/server/jobs/inngest-route";
import { log } from "@/server/log";

/** Leaves time for the registration, which comes first. */
const FIRST_AFTER_MS = 5_000;
const EVERY_MS = 600_000;
/** While runs do not come back, so that recovery is noticed soon. */
const AGAIN_MS = 60_000;
/** A busy Inngest server takes some ten seconds for a run. */
const WITHIN_MS = 30_000;
const LOOK_MS = 500;

export interface RoundTrip {
  isOk: boolean;
  /** How long the run took, or how long it was waited for. */
  ms: number;
}

let last: RoundTrip | undefined;

/** Returns the last round trip; undefined where there is no Inngest server, or none has ended yet. */
export function lastRoundTrip(): RoundTrip | undefined {
  return last;
}

/**
 * Sends a run to the Inngest server and back, soon and then every ten minutes, and logs when it does not come back (ADR
 * 91). Returns a disposer.
 */
export function startRoundTrips({ client }: InngestServer, registered: Promise<void>): () => Promise<void> {
  const over = new AbortController();
  const pause = (ms: number) => wait(ms, undefined, { ref: false, signal: over.signal }).catch(() => undefined);
  const repeated = async () => {
    await Promise.race([registered, pause(FIRST_AFTER_MS)]);
    while (!over.signal.aborted) {
      const trip = await roundTripOnce(client, { isOver: () => over.signal.aborted, pause }).catch(() => undefined);
      if (trip) recordTrip(trip); // otherwise the database is unavailable, which other modules log
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

/** Makes one round trip. Returns undefined when the process ends in the meantime. */
async function roundTripOnce(
  client: InngestServer["client"],
  { isOver, pause }: Waiting,
): Promise<RoundTrip | undefined> {
  await run(db().query, keepChores, [[ROUND_TRIP]]);
  const { now } = await runOne(db().query, databaseNow);
  const began = clock().monotonic();
  const passed = () => clock().monotonic() - began;
  // The SDK retries sending by itself; only the run's return matters.
  const sent = client.send(roundTripEvent).catch(() => undefined);
  while (passed() < WITHIN_MS && !isOver()) {
    await pause(LOOK_MS);
    const back = await db().prisma.chore.count({ where: { id: ROUND_TRIP, doneAt: { gt: new Date(now) } } });
    if (back > 0) return { isOk: true, ms: passed() };
  }
  await Promise.race([sent, pause(0)]);
  return isOver() ? undefined : { isOk: false, ms: passed() };
}

function recordTrip(trip: RoundTrip): void {
  const wasOk = last?.isOk ?? true;
  last = trip;
  const logger = log({ module: "jobs" });
  if (trip.isOk && !wasOk) logger.info("runs of Inngest come back again");
  if (trip.isOk || !wasOk) return;
  const status = lastInngestStatus();
  logger.warn(
    { lastStatus: status, hint: hintOf(status) },
    "no run of Inngest comes back: chores are done without it when they are late",
  );
}

/** Suggests the likely cause from our response to Inngest's last call of this process. */
function hintOf(status: number | null): string {
  if (status === null)
    return "Inngest has not called this process: check INNGEST_BASE_URL, INNGEST_EVENT_KEY, and that it reaches the workers at INNGEST_SERVE_ORIGIN";
  if (status === 401) return "its signature was refused: check that INNGEST_SIGNING_KEY is the Inngest server's";
  return "check the log of the Inngest server";
}
