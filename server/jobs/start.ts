import { context } from "@/server/context";
import { db, openSpare } from "@/server/db/client";
import type { Work } from "@/server/db/wake";
import { announceWork, listenForWork } from "@/server/db/work-notices";
import { env } from "@/server/env";
import { calm } from "@/server/event-loop-delay";
import { type Announcer, startAnnouncer } from "@/server/jobs/announcer";
import { functions, type InngestServer, inngestServer } from "@/server/jobs/background";
import { openChores } from "@/server/jobs/chore-state";
import { type DirectWakes, directWakes } from "@/server/jobs/direct-wakes";
import { openEngine } from "@/server/jobs/engine/engine";
import { bulkRetryEvent } from "@/server/jobs/functions/bulk-retry";
import { choreFunctions } from "@/server/jobs/functions/chores";
import { joinedWakes } from "@/server/jobs/joined-wakes";
import { lateAlertsDone } from "@/server/jobs/late-alerts";
import { lateChoresDone } from "@/server/jobs/late-chores";
import { register } from "@/server/jobs/register";
import { startResealing } from "@/server/jobs/reseal";
import { sweep } from "@/server/jobs/sweep";
import { startSweepTimer } from "@/server/jobs/sweep-timer";
import { loopOf, workKinds, works } from "@/server/jobs/work-kinds";
import { log, moduleOutage } from "@/server/log";

/** The background work of this process. */
export interface Jobs {
  /** Begins the work, starting with earlier wake-ups. */
  begin(): Promise<void>;
  /**
   * Claims nothing more, and resolves when what is in progress is done. Wakes other processes for what becomes due from
   * here on.
   */
  drain(): Promise<void>;
  /** Ends the work for good. */
  end(): Promise<void>;
}

/** Creates the background work for this process's role. Nothing is claimed before it begins. */
export function openJobs(): Jobs {
  return env().ALMANAC_ROLE === "web" ? wakingJobs() : workingJobs();
}

/** Creates jobs that only wake the processes that do the work. */
function wakingJobs(): Jobs {
  wakeBy({ work: announcingWake(), bulkRetry: bulkRetryWake(inngestServer()) });
  return { begin: async () => {}, drain: async () => {}, end: async () => wakeBy({}) };
}

/**
 * Creates jobs that do the work as functions: of the Inngest server while it responds, otherwise of the engine in this
 * process (ADR 60). A wake-up looks for work where a function already does it, and has one begin where none does.
 */
function workingJobs(): Jobs {
  const server = inngestServer();
  const bulkRetry = bulkRetryWake(server);
  const engine = openEngine(functions, log({ module: "jobs" }));
  const early = new Set<Work>();
  const ends: (() => Promise<unknown>)[] = [];
  let announcer: Announcer | undefined;
  let hasBegun = false;
  let isDraining = false;
  const wakeWork = (kind: Work) => {
    const isAllAllowed = loopOf(kind).wake();
    if (announcer && !announcer.isAway()) announcer.look();
    else if (!isAllAllowed) engine.send({ name: workKinds[kind].event, data: server ? { isAway: true } : {} });
  };
  const direct = directWakes((kind) => (hasBegun ? wakeWork(kind) : early.add(kind)));
  wakeBy({ work: direct.wake, bulkRetry });

  const begin = async () => {
    if (db().isServer) await warmUp();
    if (isDraining) return;
    await openChores(db());
    if (server) ends.push(announceTo(server));
    else engine.start(choreFunctions);
    hasBegun = true;
    for (const kind of early) wakeWork(kind);
    ends.push(
      listen(direct),
      startSweepTimer(outage("the sweep for due work fails", "the sweep for due work succeeds again")),
      startResealing(),
    );
    const swept = sweep().catch(() => undefined); // work left by an earlier process; the sweep timer logs failures
    ends.push(() => swept);
  };
  const announceTo = (server: InngestServer) => {
    const registration = register(server);
    const announcing = startAnnouncer(server, {
      onAway: (isNews) => {
        if (isNews) registration.again();
        for (const kind of works) wakeWork(kind);
      },
      onBack: () => {
        for (const kind of works) loopOf(kind).endWholePasses();
      },
      onIgnored: registration.again, // a worker of an older version may have registered its own functions since
    });
    announcer = announcing;
    return async () => {
      await Promise.all([registration.end(), announcing.end()]);
    };
  };
  let begun: Promise<void> | undefined;
  const drain = async () => {
    isDraining = true;
    await begun?.catch(() => undefined);
    direct.stop();
    const others = db().isServer ? announcingWake() : undefined;
    wakeBy({ work: others, bulkRetry });
    if (!hasBegun) for (const kind of early) others?.(kind, 0);
    const stopped = works.map((kind) => loopOf(kind).stop());
    await Promise.all([...ends.map((end) => end()), ...stopped, engine.stop()]);
    await Promise.all([lateAlertsDone(), lateChoresDone()]);
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
 * Waits until a new process is warmed up while others do the work: the load of a start, here and at the database, would
 * keep receivers' responses from being read and stored, and a response that is not stored when a process dies is sent
 * twice (ADR 80).
 */
async function warmUp(): Promise<void> {
  await openSpare().catch(() => undefined); // only opens them earlier
  await calm();
}

interface Wakes {
  work: DirectWakes["wake"] | undefined;
  bulkRetry: ((id: string) => void) | undefined;
}

function wakeBy({ work, bulkRetry }: Partial<Wakes>): void {
  context.wake = work;
  context.wakeBulkRetry = bulkRetry;
}

/** Returns how a bulk retry is woken: with an Inngest server it is a run of its own, which an event begins. */
function bulkRetryWake(server: InngestServer | null): Wakes["bulkRetry"] {
  if (!server) return undefined;
  const events = outage("events cannot be sent: bulk retries are found by sweeping", "events are sent again");
  return (id) => void server.client.send(bulkRetryEvent(id)).then(() => events.recovered(), events.failed);
}

/** Creates wake-ups through PostgreSQL: every process with background work receives them, and one of them claims each row. */
function announcingWake(): DirectWakes["wake"] {
  const notices = outage(
    "wake-ups cannot be announced: what is due is found by sweeping",
    "wake-ups are announced again",
  );
  return joinedWakes(async (work, afterMs) => {
    await announceWork(db().query, work, afterMs).then(() => notices.recovered(), notices.failed);
  });
}

/** Listens for wake-ups from processes without background work. The embedded database has one process only. */
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

function outage(down: string, up: string) {
  return moduleOutage("jobs", { down, up });
}
