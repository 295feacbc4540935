import type { InngestServer } from "@/server/jobs/background";
import { SERVE_PATH, serveOrigin } from "@/server/jobs/client";
import { log } from "@/server/log";

const FIRST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 60_000;
/** An Inngest server that lost its state learns of the functions again. */
const AGAIN_MS = 10 * 60_000;

export interface Registration {
  /** Registers again now: the server may have lost its state. */
  again(): void;
  end(): Promise<void>;
}

/**
 * Registers the functions with the Inngest server: repeatedly until it responds, and now and then afterwards.
 */
export function register({ handler }: InngestServer): Registration {
  const logger = log({ module: "jobs" });
  let timer: NodeJS.Timeout | undefined;
  let isOver = false;
  let isRegistered = false;
  const attempt = async (wait: number): Promise<void> => {
    const answer = await handler(request()).catch(() => undefined);
    if (answer?.ok && !isRegistered) logger.info("the functions are registered with Inngest");
    if (!answer?.ok)
      logger.warn({ status: answer?.status ?? null }, "the functions could not be registered with Inngest");
    isRegistered = answer?.ok ?? false;
    const next = isRegistered ? FIRST_WAIT_MS : Math.min(wait * 2, LONGEST_WAIT_MS);
    if (!isOver) timer = setTimeout(() => void attempt(next), isRegistered ? AGAIN_MS : wait).unref();
  };
  void attempt(FIRST_WAIT_MS);
  const end = async () => {
    isOver = true;
    clearTimeout(timer);
  };
  const again = () => {
    clearTimeout(timer);
    if (!isOver) void attempt(FIRST_WAIT_MS);
  };
  return { again, end };
}

/** Creates a request as if it had come from outside, because the SDK reads the host from the header. */
function request(): Request {
  const url = new URL(serveOrigin() + SERVE_PATH);
  return new Request(url, { method: "PUT", headers: { host: url.host } });
}
