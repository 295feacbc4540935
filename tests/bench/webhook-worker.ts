import { type Causes, causing } from "@/tests/bench/webhook-causes";
import { oursDrain, oursFanOut } from "@/tests/bench/webhook-drains";

/** A process that does one task each time it is asked, and answers with what it measured. */
const tasks: Record<string, () => Promise<(asked: Causes) => Promise<unknown>>> = {
  ours: async () => oursDrain(),
  "fan-out": async () => oursFanOut(),
  causes: causing,
};
const task = await tasks[process.argv[2] ?? ""]?.();
if (!task) throw new Error("there is no such task");
process.on("message", async (asked: Causes) => process.send?.(await task(asked)));
process.on("disconnect", () => process.exit());
