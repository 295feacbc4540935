import { setTimeout as wait } from "node:timers/promises";
import { NonRetriableError } from "inngest";
import { context } from "@/server/context";
import { db } from "@/server/db/client";
import type { JobFunction } from "@/server/jobs/job-function";
import { keyOf, PASS_MS } from "@/server/jobs/passes";
import { loopOf } from "@/server/jobs/work-kinds";
import { isFirstSyncLeft } from "@/server/sync/claim-profiles";
import type { Passed } from "@/server/work-loop";

/** Requests the first sync of a mailbox. */
export const FIRST_SYNC_EVENT = "almanac/first_sync.due";
/** Inngest allows 1,000 steps per run. A later event continues the sync. */
const MOST_STEPS = 900;
const LOOK_MS = 1_000;

/**
 * Reads a mailbox for the first time. One run at a time for each mailbox and ten for each provider, separate from polling. A
 * step reads one calendar, or 15 seconds of a large one. Without an Inngest server `poll-mailboxes` does first syncs too.
 */
export const syncMailbox: JobFunction = {
  id: "sync-mailbox",
  name: "Sync a profile for the first time",
  triggers: [{ event: FIRST_SYNC_EVENT }],
  singleton: { key: "event.data.profile", mode: "skip" },
  concurrency: [{ key: "event.data.provider", limit: 10 }],
  retries: 0,
  async handler({ event, step }) {
    const profile = keyOf(event.data?.profile);
    if (profile === null) throw new NonRetriableError("the event names no profile");
    for (let n = 1; n <= MOST_STEPS; n++) {
      const { isLeft, ...read } = await step.run(`calendar ${n}`, () => readNext(profile));
      if (!isLeft || context.isDraining) return read;
    }
  },
};

/** Reads until one calendar is done or 15 seconds are over. If another process is reading the mailbox, waits for it. */
async function readNext(profile: string): Promise<Passed> {
  for (let waitedMs = 0; ; waitedMs += LOOK_MS) {
    const passed = await loopOf("sync").pass(profile, { withinMs: PASS_MS - waitedMs, isOneNote: true });
    if (passed.isLeft || Object.keys(passed.tally).length > 0) return passed;
    const isLeft = await isFirstSyncLeft(db(), profile);
    if (!isLeft || context.isDraining || waitedMs + LOOK_MS >= PASS_MS) return { ...passed, isLeft };
    await wait(LOOK_MS);
  }
}
