import { context } from "@/server/context";
import { db } from "@/server/db/client";
import { env } from "@/server/env";
import { type Admission, admission } from "@/server/http/admission/capacity";
import { type LateRefusals, lateRefusals } from "@/server/http/late-refusals";
import { type Limiter, limiter } from "@/server/http/rate-limit/limiter";
import { type RequestLogWriter, requestLogWriter } from "@/server/http/request-log/writer";
import { type Sleepers, sleepers } from "@/server/http/sleepers";
import { log } from "@/server/log";
import { countRequests, storeRequests } from "@/server/store/request-logs/request-logs";

const FLUSH_AT_SHUTDOWN_MS = 5_000;

export interface ProcessServices {
  limiter: Limiter;
  requestLog: RequestLogWriter;
  admission: Admission;
  sleepers: Sleepers;
  lateRefusals: LateRefusals;
  /** Stores what is still to be logged. Comes after the last response, and before the database is closed. */
  close(): Promise<void>;
}

/** Returns the rate limiter, the request log and the queues of this process, one each. */
export function processServices(): ProcessServices {
  context.services ??= open();
  return context.services;
}

function open(): ProcessServices {
  const logger = log({ module: "http" });
  const say = (level: "info" | "warn", message: string, facts?: object) => logger[level](facts ?? {}, message);
  const requestLog = requestLogWriter({
    log: say,
    readShare: env().REQUEST_LOG_SAMPLE,
    write: (rows) => storeRequests(db(), rows),
    count: (batch) => countRequests(db(), batch),
  });
  const buckets = limiter({ redisUrl: env().REDIS_URL, log: say });
  return {
    limiter: buckets,
    requestLog,
    admission: admission(db(), env().DATABASE_POOL),
    sleepers: sleepers(),
    lateRefusals: lateRefusals(),
    close: async () => {
      await requestLog.flush(FLUSH_AT_SHUTDOWN_MS);
      buckets.close();
    },
  };
}
