import type { Inngest } from "inngest";
import { doPiece } from "@/server/jobs/chore-pieces";
import { chores } from "@/server/jobs/chores";

/** What is left then is done by the next run. A run has a thousand steps at most. */
const MOST_PIECES = 900;

/** One function for each chore, which is done in pieces (ADR 53), each of which is tried again by itself when it fails. */
export function choreFunctions(client: Inngest) {
  return Object.entries(chores).map(([id, chore]) =>
    client.createFunction({ id, name: chore.name, triggers: [{ cron: chore.cron }], retries: 5 }, async ({ step }) => {
      for (let piece = 1; piece <= MOST_PIECES; piece++) {
        if (!(await step.run(`piece ${piece}`, () => doPiece(id, chore)))) return;
      }
    }),
  );
}
