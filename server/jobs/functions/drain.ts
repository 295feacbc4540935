import type { Inngest } from "inngest";
import { workKinds, works } from "@/server/jobs/work-kinds";

/** One function for each kind of work, which an operator can invoke: it wakes the loop. Processes of the version before send its event. */
export function drains(client: Inngest) {
  return works.map((work) => {
    const { title, loop } = workKinds[work];
    return client.createFunction(
      { id: work, name: title, triggers: [{ event: `almanac/${work}` }], retries: 3 },
      async ({ step }) => {
        await step.run("drain", () => loop().nudge());
      },
    );
  });
}
