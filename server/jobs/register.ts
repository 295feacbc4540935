import type { InngestServer } from "@/server/jobs/background";
import { SERVE_PATH, serveOrigin } from "@/server/jobs/client";
import { log } from "@/server/log";

const FIRST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 60_000;
/** An Inngest server that lost its state learns of the functions again. */
const AGAIN_MS = 10 * 60_000;

/**
 * Registers the functions with the Inngest server: repeatedly until it responds, and now and then afterwards.
 * `registered` resolves with the first response.
 */
export function register({ handler }: InngestServer): { end(): Promise<void>; registered: Promise<void> } {
  const logger = log({ module: "jobs" });
  let timer: NodeJS.Timeout | undefined;
  let isOver = false;
  let isRegistered = false;
  let resolve = () => {};
  const registered = new Promise<void>((done) => {
    resolve = done;
  });
  const attempt = async (wait: number): Promise<void> => {
    const answer = await handler(request()).catch(() => undefined);
    if (answer?.ok && !isRegistered) logger.info("the functions are registered with Inngest");
    if (!answer?.ok)
      logger.warn({ status: answer?.status ?? null }, "the functions could not be registered with Inngest");
    isRegistered = answer?.ok ?? false;
    if (isRegistered) resolve();
    const next = isRegistered ? FIRST_WAIT_MS : Math.min(wait * 2, LONGEST_WAIT_MS);
    if (!isOver) timer = setTimeout(() => void attempt(next), isRegistered ? AGAIN_MS : wait).unref();
  };
  void attempt(FIRST_WAIT_MS);
  const end = async () => {
    isOver = true;
    clearTimeout(timer);
  };
  return { end, registered };
}

/** Creates a request as if it had come from outside, because the SDK reads the host from the header. */
function request(): Request {
  const url = new URL(serveOrigin() + SERVE_PATH);
  return new Request(url, { method: "PUT", headers: { host: url.host } });
}
