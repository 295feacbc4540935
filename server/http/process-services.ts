import { db } from "@/server/db/client";
import { countRequests, storeRequests } from "@/server/db/request-logs";
import { env } from "@/server/env";
import { type Admission, admission } from "@/server/http/admission/capacity";
import { type LateRefusals, lateRefusals } from "@/server/http/late-refusals";
import { type Limiter, limiter } from "@/server/http/rate-limit/limiter";
import { type RequestLogWriter, requestLogWriter } from "@/server/http/request-log/writer";
import { type Sleepers, sleepers } from "@/server/http/sleepers";
import { log } from "@/server/log";

const FLUSH_AT_SHUTDOWN_MS = 5_000;

interface ProcessServices {
  limiter: Limiter;
  requestLog: RequestLogWriter;
  admission: Admission;
  sleepers: Sleepers;
  lateRefusals: LateRefusals;
}

declare global {
  var almanacProcessServices: ProcessServices | undefined;
  /** What the front door runs, the last first, when the last request has been answered; then it closes the database. */
  var almanacShutdown: (() => Promise<void>)[] | undefined;
}

/** The rate limiter, the request log and the queues of this process: one each, however often Next loads this module. */
export function processServices(): ProcessServices {
  globalThis.almanacProcessServices ??= open();
  return globalThis.almanacProcessServices;
}

function open(): ProcessServices {
  const logger = log({ module: "http" });
  const say = (level: "info" | "warn", message: string, facts?: object) => logger[level](facts ?? {}, message);
  const requestLog = requestLogWriter({
    log: say,
    write: (rows) => storeRequests(db(), rows),
    count: (batch) => countRequests(db(), batch),
  });
  const buckets = limiter({ redisUrl: env().REDIS_URL, log: say });
  globalThis.almanacShutdown ??= [];
  globalThis.almanacShutdown.push(
    async () => buckets.close(),
    async () => {
      await requestLog.flush(FLUSH_AT_SHUTDOWN_MS);
    },
  );
  return {
    limiter: buckets,
    requestLog,
    admission: admission(db(), env().DATABASE_POOL),
    sleepers: sleepers(),
    lateRefusals: lateRefusals(),
  };
}
