import type { Inngest } from "inngest";
import { workKinds, works } from "@/server/jobs/work-kinds";

/** One function for each kind of work: an event wakes its loop, which drains what is due. */
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
