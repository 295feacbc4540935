import type { Lead } from "@/server/jobs/announcing.sql";
import { lastInngestStatus } from "@/server/jobs/inngest-route";
import { log } from "@/server/log";

export interface RoundTrip {
  /** Runs come back from the Inngest server. */
  isOk: boolean;
  /** Milliseconds since the last one did. */
  ms: number;
}

let last: RoundTrip | undefined;

/** Returns what is known of round trips; undefined where there is no Inngest server, or none has ended yet. */
export function lastRoundTrip(): RoundTrip | undefined {
  return last;
}

/** Notes whether runs come back from the Inngest server, and logs when that changes (ADR 91). */
export function noteRoundTrip({ isAway, isAwaited, silentS }: Lead): void {
  if (!isAway && isAwaited) return;
  const wasOk = last?.isOk ?? true;
  last = { isOk: !isAway, ms: silentS * 1_000 };
  const logger = log({ module: "jobs" });
  if (!isAway && !wasOk) logger.info("runs of Inngest come back again, so it runs the functions");
  if (!isAway || !wasOk) return;
  const status = lastInngestStatus();
  logger.warn(
    { lastStatus: status, hint: hintOf(status) },
    "no run of Inngest comes back: this process runs the functions until one does",
  );
}

/** Suggests the likely cause from our response to Inngest's last call of this process. */
function hintOf(status: number | null): string {
  if (status === null)
    return "Inngest has not called this process: check INNGEST_BASE_URL, INNGEST_EVENT_KEY, and that it reaches the workers at INNGEST_SERVE_ORIGIN";
  if (status === 401) return "its signature was refused: check that INNGEST_SIGNING_KEY is the Inngest server's";
  return "check the log of the Inngest server";
}
