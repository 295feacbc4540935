import { db } from "@/server/db/client";
import { wake } from "@/server/db/wake";
import { nextReplayIn, workReplays } from "@/server/services/staff/deliveries/replays/work";
import { fanOut, nextSignalIn } from "@/server/webhooks/fan-out";
import { type WorkLoop, workLoop } from "@/server/work-loop";

const SHORTEST_WAIT_MS = 100;

/** Turns signals into deliveries. */
export function notifyLoop(): WorkLoop {
  return workLoop<never>({
    async claim() {
      if ((await fanOut(db())) > 0) wake("deliver");
      return [];
    },
    work: async () => {},
    nextIn: () => nextSignalIn(db()),
    shortestWaitMs: SHORTEST_WAIT_MS,
    onIdle: (nextInMs) => wake("notify", nextInMs),
  });
}

/** Continues the replays that staff started. */
export function replayLoop(): WorkLoop {
  return workLoop<never>({
    async claim() {
      await workReplays(db());
      return [];
    },
    work: async () => {},
    nextIn: () => nextReplayIn(db()),
    shortestWaitMs: SHORTEST_WAIT_MS,
    onIdle: (nextInMs) => wake("replay", nextInMs),
  });
}
