import { env } from "@/server/env";
import { sweep } from "@/server/jobs/sweep";
import type { OutageLog } from "@/server/log";

const SPREAD_MS = 1_000;

/** Sweeps every few seconds in every process, so that notifications go on while Inngest is away. Returns a disposer. */
export function startSweepTimer(outage: OutageLog): () => Promise<void> {
  let isOver = false;
  let timer: NodeJS.Timeout;
  let round: Promise<void> = Promise.resolve();
  const next = () => {
    timer = setTimeout(
      () => {
        round = sweep()
          .then(() => outage.recovered(), outage.failed)
          .then(() => {
            if (!isOver) next();
          });
      },
      env().SWEEP_SECONDS * 1_000 + Math.random() * SPREAD_MS,
    );
  };
  next();
  return async () => {
    isOver = true;
    clearTimeout(timer);
    await round;
  };
}
