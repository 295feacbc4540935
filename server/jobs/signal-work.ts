import { db } from "@/server/db/client";
import { wake } from "@/server/db/wake";
import { nextReplayIn, workReplays } from "@/server/services/staff/deliveries/replays/work";
import { fanOut, nextSignalIn } from "@/server/webhooks/fan-out";
import { type WorkLoop, workLoop } from "@/server/work-loop";

const SHORTEST_WAIT_MS = 100;

declare global {
  var almanacSignals: WorkLoop | undefined;
  var almanacReplays: WorkLoop | undefined;
}

/** What turns signals into deliveries in this process: one, however often this module is loaded. */
export function notifying(): WorkLoop {
  globalThis.almanacSignals ??= workLoop<never>({
    async claim() {
      if ((await fanOut(db())) > 0) wake("deliver");
      return [];
    },
    work: async () => {},
    nextIn: () => nextSignalIn(db()),
    shortestWaitMs: SHORTEST_WAIT_MS,
    onIdle: (nextInMs) => wake("notify", nextInMs),
  });
  return globalThis.almanacSignals;
}

/** What continues the replays that staff started, in this process: one, however often this module is loaded. */
export function replaying(): WorkLoop {
  globalThis.almanacReplays ??= workLoop<never>({
    async claim() {
      await workReplays(db());
      return [];
    },
    work: async () => {},
    nextIn: () => nextReplayIn(db()),
    shortestWaitMs: SHORTEST_WAIT_MS,
    onIdle: (nextInMs) => wake("replay", nextInMs),
  });
  return globalThis.almanacReplays;
}
