import { env } from "@/server/env";
import type { Background } from "@/server/jobs/background";
import { SERVE_PATH } from "@/server/jobs/client";
import { log } from "@/server/log";

const FIRST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 60_000;

/** Tells the Inngest server where the functions are, again and again until it listens. Gives what ends the trying. */
export function register({ handler }: Background): () => Promise<void> {
  const logger = log({ room: "jobs" });
  let timer: NodeJS.Timeout | undefined;
  let isOver = false;
  const attempt = async (wait: number): Promise<void> => {
    const answer = await handler(request()).catch(() => undefined);
    if (answer?.ok) return logger.info("the functions are registered with Inngest");
    logger.warn(
      { status: answer?.status ?? null },
      "the functions could not be registered with Inngest: it is tried again",
    );
    if (isOver) return;
    timer = setTimeout(() => void attempt(Math.min(wait * 2, LONGEST_WAIT_MS)), wait);
  };
  void attempt(FIRST_WAIT_MS);
  return async () => {
    isOver = true;
    clearTimeout(timer);
  };
}

/** As though it had come from outside: the SDK reads the host from the header. */
function request(): Request {
  const url = new URL(env().BASE_URL + SERVE_PATH);
  return new Request(url, { method: "PUT", headers: { host: url.host } });
}
