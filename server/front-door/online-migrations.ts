import { setTimeout as wait } from "node:timers/promises";
import { runOnlineMigrations } from "@/server/db/online-migrations";
import { log } from "@/server/log";

const ASK_AGAIN_MS = 10_000;
const TRY_AGAIN_MS = 60_000;

/** Begins the online migrations that the database has yet to get, and goes on until all are complete, here or in another process. Returns what ends it. */
export function startOnlineMigrations(
  connectionString: string,
  folder: string,
  { askAgainMs = ASK_AGAIN_MS, tryAgainMs = TRY_AGAIN_MS } = {},
): () => Promise<void> {
  const over = new AbortController();
  const { signal } = over;
  const logger = log({ module: "front-door" });
  const onBegin = (migration: string) =>
    logger.info({ migration }, "an online migration begins: requests and jobs go on");
  const onEnd = (migration: string) => logger.info({ migration }, "an online migration is complete");
  const once = async () => {
    try {
      return (await runOnlineMigrations(connectionString, folder, { signal, onBegin, onEnd })) ? null : askAgainMs;
    } catch (error) {
      if (!signal.aborted) logger.error({ err: error }, "an online migration failed and is tried again");
      return tryAgainMs;
    }
  };
  const repeated = async () => {
    for (let pauseMs = await once(); pauseMs !== null && !signal.aborted; pauseMs = await once()) {
      await wait(pauseMs, undefined, { ref: false, signal }).catch(() => undefined);
      if (signal.aborted) return;
    }
  };
  const done = repeated();
  return async () => {
    over.abort();
    await done;
  };
}
