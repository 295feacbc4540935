import type pino from "pino";
import { clock } from "@/server/clock";
import type { Database } from "@/server/db/client";
import { readArrivals } from "@/server/jobs/executor/arrivals";
import { openContract } from "@/server/jobs/executor/contract";
import { ticker } from "@/server/jobs/executor/cron";
import { readPlans } from "@/server/jobs/executor/features";
import { openLoop } from "@/server/jobs/executor/loop";
import { openStore } from "@/server/jobs/executor/store";
import { outageLog } from "@/server/log";

export interface ExecutorOptions {
  db: Database;
  /** The SDK's handler, as `serve` returns it. */
  handler: (request: Request) => Promise<Response>;
  signingKey: string;
  appId: string;
  /** The address that the SDK is configured with. Nothing is sent there. */
  url: string;
  log: Pick<pino.Logger, "info" | "warn">;
  /** The clock by which the SDK judges a signature's age, in milliseconds since 1970: the machine's, also beside a fake one. */
  machineTime?: () => number;
  /** A call that takes longer counts as failed. */
  callLimitMs?: number;
}

export interface Executor {
  /** What the SDK client's `fetch` option is given: takes events. */
  receive(request: Request): Promise<Response>;
  /** Reads the functions, refuses what is not implemented, and begins to run what is due. */
  start(): Promise<void>;
  /** Takes no new run and waits for the calls under way. */
  stop(graceMs?: number): Promise<void>;
  /** For tests: runs everything that is due by the clock and resolves when nothing is. */
  settle(): Promise<void>;
}

const CALL_LIMIT_MS = 15 * 60_000;
const STOP_WITHIN_MS = 5_000;
const RETRY_AFTER_SECONDS = "5";

/** Drives Inngest functions inside this process, over this process's database, through the SDK's own HTTP contract. */
export function openExecutor(options: ExecutorOptions): Executor {
  const { db, appId, log, machineTime = () => clock().now(), callLimitMs = CALL_LIMIT_MS } = options;
  const contract = openContract({ ...options, machineTime, callLimitMs });
  const store = openStore(db, appId);
  const outage = outageLog((level, sentence, facts) => log[level](facts ?? {}, sentence), {
    down: "the executor cannot reach the database: background work waits",
    up: "the executor reaches the database again",
  });
  const open = async () => {
    const plans = readPlans(await contract.readFunctions());
    return { plans, loop: openLoop({ plans, store, contract, outage, log, crons: ticker(store, plans) }) };
  };
  let opening: ReturnType<typeof open> | undefined;
  const opened = () => {
    opening ??= open().catch((error) => {
      opening = undefined;
      throw error;
    });
    return opening;
  };
  return {
    async receive(request) {
      const isEvents = request.method === "POST" && /\/e\/[^/]+$/.test(new URL(request.url).pathname);
      if (!isEvents) return answer(404, { error: "the embedded executor accepts only events" });
      const body: unknown = await request.json().catch(() => undefined);
      const { plans, loop } = await opened();
      const arrivals = readArrivals(body, request.headers.get("x-inngest-event-id-seed"), plans);
      if (!arrivals) return answer(400, { error: "an event must have a name and a timestamp" });
      try {
        if (arrivals.runs.length > 0) await store.accept(arrivals.runs);
      } catch (error) {
        outage.failed(error);
        return answer(503, { error: "the database can't be reached" }, { "retry-after": RETRY_AFTER_SECONDS });
      }
      if (arrivals.runs.length > 0) loop.wake();
      return answer(200, { ids: arrivals.ids });
    },
    start: async () => (await opened()).loop.start(),
    stop: async (graceMs = STOP_WITHIN_MS) => {
      if (opening) await (await opening).loop.stop(graceMs);
    },
    settle: async () => await (await opened()).loop.settle(),
  };
}

function answer(status: number, body: object, headers: Record<string, string> = {}): Response {
  return Response.json({ ...body, status }, { status, headers });
}
