import { loggable } from "@/server/http/redaction/secrets";
import { causeOf } from "@/server/http/responses";
import { log } from "@/server/log";

/** Logs an error that nobody foresaw: what failed, and the id of its request, where the caller can tell it. */
export function logFailure(error: unknown, what: string, requestId?: string): void {
  const about = requestId === undefined ? {} : { requestId: loggable(requestId) };
  log({ module: "http" }).error({ ...about, err: causeOf(error) }, what);
}
