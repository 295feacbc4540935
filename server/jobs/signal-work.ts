import { db } from "@/server/db/client";
import { wake } from "@/server/db/wake";
import { nextReplayIn, workReplays } from "@/server/services/staff/deliveries/replays/work";
import { type FanOut, fanOutSome, nextSignalIn } from "@/server/webhooks/fan-out";
import { type WorkLoop, workLoop } from "@/server/work-loop";

const SHORTEST_WAIT_MS = 100;

/** Turns signals into deliveries. */
export function notifyLoop(): WorkLoop {
  return workLoop<FanOut>({
    async claim() {
      const some = await fanOutSome(db());
      if (some.handled > 0) wake("deliver");
      return some.claimed === 0 ? [] : [some];
    },
    async work({ handled, notified }, { note }) {
      for (const application of notified) note({ subject: application, counts: { deliveries: 1 } });
      return { subject: "all", counts: { accounts: handled } };
    },
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
    work: async () => undefined,
    nextIn: () => nextReplayIn(db()),
    shortestWaitMs: SHORTEST_WAIT_MS,
    onIdle: (nextInMs) => wake("replay", nextInMs),
  });
}
