import { setTimeout as wait } from "node:timers/promises";
import { db } from "@/server/db/client";
import { env } from "@/server/env";
import { log } from "@/server/log";
import { sealAlertUrls } from "@/server/store/sealing/alert-urls";
import { reseal } from "@/server/store/sealing/reseal";

/** A process that was not restarted yet still seals with the other key. */
const EVERY_MS = 15 * 60_000;

/**
 * Seals what an earlier version stored in clear. While ENCRYPTION_KEYS has more than one key, also seals with the first
 * one what the others sealed, at once and then every `everyMs`, and logs when it has found any. Returns a disposer.
 */
export function startResealing(everyMs = EVERY_MS): () => Promise<void> {
  const [current, ...older] = env().ENCRYPTION_KEYS.map(({ kid }) => kid);
  const logger = log({ module: "jobs" });
  const sealed = sealAlertUrls(db()).catch((error) =>
    logger.error({ err: error }, "the URLs of alert webhooks could not be encrypted"),
  );
  if (current === undefined || older.length === 0) return () => sealed;
  const over = new AbortController();
  const once = async (isFirst: boolean) => {
    const resealed = await reseal(db(), current, () => !over.signal.aborted);
    if (over.signal.aborted) return;
    const facts = { key: current, older: older.join(", "), ...resealed };
    if (resealed.unreadable > 0)
      logger.warn(facts, "some stored secrets cannot be decrypted with any of ENCRYPTION_KEYS");
    else if (isFirst || resealed.count > 0)
      logger.info(facts, "every stored secret is encrypted with the first of ENCRYPTION_KEYS");
  };
  const repeated = async () => {
    for (let isFirst = true; !over.signal.aborted; isFirst = false) {
      await once(isFirst).catch((error) =>
        logger.error({ err: error }, "stored secrets could not be encrypted with the first of ENCRYPTION_KEYS"),
      );
      await wait(everyMs, undefined, { ref: false, signal: over.signal }).catch(() => undefined);
    }
  };
  const done = sealed.then(repeated);
  return async () => {
    over.abort();
    await done;
  };
}
