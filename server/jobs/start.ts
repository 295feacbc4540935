import { db, openSpare } from "@/server/db/client";
import type { Work } from "@/server/db/wake";
import { announceWork, listenForWork } from "@/server/db/work-notices";
import { env } from "@/server/env";
import { calm } from "@/server/event-loop-delay";
import { type Background, background } from "@/server/jobs/background";
import { openChores } from "@/server/jobs/chore-state";
import { APP_ID, SERVE_PATH, serveOrigin } from "@/server/jobs/client";
import { type DirectWakes, directWakes } from "@/server/jobs/direct-wakes";
import { openExecutor } from "@/server/jobs/executor/executor";
import { bulkRetryEvent } from "@/server/jobs/functions/bulk-retry";
import { joinedWakes } from "@/server/jobs/joined-wakes";
import { lookedForAlerts } from "@/server/jobs/late-alerts";
import { lateChoresDone } from "@/server/jobs/late-chores";
import { register } from "@/server/jobs/register";
import { startResealing } from "@/server/jobs/reseal";
import { startRoundTrips } from "@/server/jobs/round-trips";
import { sweep } from "@/server/jobs/sweep";
import { startSweepTimer } from "@/server/jobs/sweep-timer";
import { workKinds, works } from "@/server/jobs/work-kinds";
import { log, moduleOutage } from "@/server/log";

/** The background work of this process. */
export interface Jobs {
  /** Begins the work. What was woken until then is done first. */
  begin(): Promise<void>;
  /** Claims nothing more, and resolves when what is in progress is done. What is due from here on is left to other processes, which are woken. */
  drain(): Promise<void>;
  /** Ends it for good. */
  end(): Promise<void>;
}

/** What this process's role has to do with background work. Nothing is claimed before it begins. */
export function openJobs(): Jobs {
  return env().ALMANAC_ROLE === "web" ? waking() : working();
}

/** Only wakes the processes that do the work. */
function waking(): Jobs {
  wakeBy({ work: announced(), bulkRetry: ownRun(background()) });
  return { begin: async () => {}, drain: async () => {}, end: async () => wakeBy({}) };
}

/**
 * Does the work. Whoever drives the functions, a wake-up is no event: it calls the work's loop in this process, and reaches others through PostgreSQL, so
 * that nothing waits for an Inngest server (ADR 60).
 */
function working(): Jobs {
  const driven = background();
  const bulkRetry = ownRun(driven);
  const early = new Set<Work>();
  const ends: (() => Promise<unknown>)[] = [];
  let hasBegun = false;
  let isDraining = false;
  const wakeLoop = (kind: Work) => workKinds[kind].loop().wake();
  const direct = directWakes((kind) => (hasBegun ? wakeLoop(kind) : early.add(kind)));
  wakeBy({ work: direct.wake, bulkRetry });

  const begin = async () => {
    if (db().isServer) await calmed();
    if (isDraining) return;
    await openChores(db());
    ends.push(...(driven.kind === "embedded" ? [await startExecutor(driven)] : drivenByServer(driven)));
    hasBegun = true;
    for (const kind of early) wakeLoop(kind);
    ends.push(
      listen(direct),
      startSweepTimer(outage("the sweep for due work fails", "the sweep for due work succeeds again")),
      startResealing(),
    );
    const swept = sweep().catch(() => undefined); // what an earlier process left; the sweep timer says when it fails
    ends.push(() => swept);
  };
  let begun: Promise<void> | undefined;
  const drain = async () => {
    isDraining = true;
    await begun?.catch(() => undefined);
    direct.stop();
    const others = db().isServer ? announced() : undefined;
    wakeBy({ work: others, bulkRetry });
    if (!hasBegun) for (const kind of early) others?.(kind, 0);
    await Promise.all([...ends.map((end) => end()), ...works.map((kind) => workKinds[kind].loop().stop())]);
    await Promise.all([lookedForAlerts(), lateChoresDone()]);
  };
  let drained: Promise<void> | undefined;
  return {
    begin() {
      begun ??= begin();
      return begun;
    },
    drain() {
      drained ??= drain();
      return drained;
    },
    end: async () => wakeBy({}),
  };
}

/**
 * Other processes do the work while this one is new: what a start leaves to be done, here and at the database, would keep receivers' responses
 * from being read and stored, and what is not stored when a process dies is sent twice (ADR 80).
 */
async function calmed(): Promise<void> {
  await openSpare().catch(() => undefined); // only to have them sooner
  await calm();
}

interface Wakes {
  work: DirectWakes["wake"] | undefined;
  bulkRetry: ((id: string) => void) | undefined;
}

function wakeBy({ work, bulkRetry }: Partial<Wakes>): void {
  globalThis.almanacWake = work;
  globalThis.almanacBulkRetry = bulkRetry;
}

/** With an Inngest server a bulk retry is a run of its own, which an event begins. */
function ownRun({ kind, client }: Background): Wakes["bulkRetry"] {
  if (kind === "embedded") return undefined;
  const events = outage("events cannot be sent: bulk retries are found by sweeping", "events are sent again");
  return (id) => void client.send(bulkRetryEvent(id)).then(() => events.recovered(), events.failed);
}

/** Wake-ups through PostgreSQL: every process that does background work hears of them, and one of them claims each row. */
function announced(): DirectWakes["wake"] {
  const notices = outage(
    "wake-ups cannot be announced: what is due is found by sweeping",
    "wake-ups are announced again",
  );
  return joinedWakes(async (work, afterMs) => {
    await announceWork(db().query, work, afterMs).then(() => notices.recovered(), notices.failed);
  });
}

/** Hears what processes without background work announce. The embedded database has but one process. */
function listen({ wake }: DirectWakes): () => Promise<void> {
  const connectionString = env().DATABASE_URL;
  if (!db().isServer || connectionString === undefined) return async () => {};
  return listenForWork({
    connectionString,
    onWork: wake,
    onOpen: () => void sweep().catch(() => undefined),
    outage: outage("wake-ups of other processes are not heard: work is found by sweeping", "wake-ups are heard again"),
  });
}

function drivenByServer(driven: Background): (() => Promise<void>)[] {
  const { end, registered } = register(driven);
  return [end, startRoundTrips(driven, registered)];
}

async function startExecutor({ handler, signingKey }: Background): Promise<() => Promise<void>> {
  const url = serveOrigin() + SERVE_PATH;
  const executor = openExecutor({ db: db(), handler, signingKey, appId: APP_ID, url, log: log({ module: "jobs" }) });
  globalThis.almanacReceive = (request) => executor.receive(request);
  await executor.start();
  return async () => {
    await executor.stop();
    globalThis.almanacReceive = undefined;
  };
}

function outage(down: string, up: string) {
  return moduleOutage("jobs", { down, up });
}
