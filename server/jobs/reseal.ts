import { db } from "@/server/db/client";
import { env } from "@/server/env";
import { log } from "@/server/log";
import { reseal } from "@/server/store/sealing/reseal";

/** While ENCRYPTION_KEYS has more than one key: seals with the first one what the others sealed, and says when they can go. Gives what ends it. */
export function startResealing(): () => Promise<void> {
  const [current, ...older] = env().ENCRYPTION_KEYS.map(({ kid }) => kid);
  if (current === undefined || older.length === 0) return async () => {};
  const logger = log({ module: "jobs" });
  let isOver = false;
  const done = reseal(db(), current, () => !isOver).then(
    (found) => {
      if (isOver) return;
      const facts = { key: current, older: older.join(", "), ...found };
      if (found.unreadable > 0)
        logger.warn(facts, "some stored secrets cannot be decrypted with any of ENCRYPTION_KEYS");
      else logger.info(facts, "every stored secret is encrypted with the first of ENCRYPTION_KEYS");
    },
    (error) => logger.error({ err: error }, "stored secrets could not be encrypted with the first of ENCRYPTION_KEYS"),
  );
  return async () => {
    isOver = true;
    await done;
  };
}
