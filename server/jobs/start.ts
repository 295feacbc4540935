import { db } from "@/server/db/client";
import { announceWork, listenForWork } from "@/server/db/work-notices";
import { env } from "@/server/env";
import { type Background, background } from "@/server/jobs/background";
import { APP_ID, SERVE_PATH, serveOrigin } from "@/server/jobs/client";
import { type DirectWakes, directWakes } from "@/server/jobs/direct-wakes";
import { openExecutor } from "@/server/jobs/executor/executor";
import { bulkRetryEvent } from "@/server/jobs/functions/bulk-retry";
import { joinedWakes } from "@/server/jobs/joined-wakes";
import { register } from "@/server/jobs/register";
import { startResealing } from "@/server/jobs/reseal";
import { sweep } from "@/server/jobs/sweep";
import { startSweepTimer } from "@/server/jobs/sweep-timer";
import { wakeEvents } from "@/server/jobs/wake-events";
import { workKinds, works } from "@/server/jobs/work-kinds";
import { log, outageLog } from "@/server/log";

/** The background work of this process. */
export interface Jobs {
  /** Claims nothing more, and resolves when what is in progress is done. What is due from here on is left to other processes, which are woken. */
  drain(): Promise<void>;
  /** Ends it for good. */
  end(): Promise<void>;
}

/** Begins what this process's role has to do with background work. */
export async function startJobs(): Promise<Jobs> {
  return env().ALMANAC_ROLE === "web" ? startWaking() : await startWorking();
}

/** Only wakes the processes that do the work: by events, or through PostgreSQL. */
function startWaking(): Jobs {
  const work = background();
  wakeBy(work.kind === "embedded" ? { work: announced() } : sent(work));
  return { drain: async () => {}, end: async () => wakeBy({}) };
}

/** Does the work, driven by this process's own executor or by an Inngest server that gets the address of the functions. Embedded, wake-ups call the work's loop; with an Inngest server they are events. */
async function startWorking(): Promise<Jobs> {
  const work = background();
  const isEmbedded = work.kind === "embedded";
  const end = isEmbedded ? await startExecutor(work) : register(work);
  const direct = directWakes((kind) => void workKinds[kind].loop().nudge(0));
  wakeBy(isEmbedded ? { work: direct.wake } : sent(work));
  const endListening = isEmbedded ? listen(direct) : async () => {};
  const endPatrol = startSweepTimer(outage("the sweep for due work fails", "the sweep for due work succeeds again"));
  const endResealing = startResealing();
  await sweep().catch(() => undefined); // what an earlier process left; the sweep timer says when it fails
  const drain = async () => {
    direct.stop();
    if (isEmbedded) wakeBy(db().isServer ? { work: announced() } : {});
    await Promise.all([
      ...[endListening(), endPatrol(), endResealing(), end()],
      ...works.map((kind) => workKinds[kind].loop().stop()),
    ]);
  };
  let drained: Promise<void> | undefined;
  return {
    drain() {
      drained ??= drain();
      return drained;
    },
    end: async () => wakeBy({}),
  };
}

type Wake = DirectWakes["wake"];

interface Wakes {
  work?: Wake;
  /** Where it is a run of its own. */
  bulkRetry?: (id: string) => void;
}

function wakeBy({ work, bulkRetry }: Wakes): void {
  globalThis.almanacWake = work;
  globalThis.almanacBulkRetry = bulkRetry;
}

/** Wake-ups as events: any process of the service that Inngest calls takes up the work. */
function sent({ client }: Background): Wakes {
  const events = outage("wake-ups cannot be sent: what is due is found by sweeping", "wake-ups are sent again");
  const send = async (event: Parameters<typeof client.send>[0]) => {
    await client.send(event).then(() => events.recovered(), events.failed);
  };
  return { work: wakeEvents(send), bulkRetry: (id) => void send(bulkRetryEvent(id)) };
}

/** Wake-ups through PostgreSQL: every process that does background work hears of them, and one of them claims each row. */
function announced(): Wake {
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
  const logger = log({ module: "jobs" });
  return outageLog((level, message, facts) => logger[level](facts ?? {}, message), { down, up });
}
