import { db } from "@/server/db/client";
import { loopOf } from "@/server/jobs/work-kinds";
import type { TaskResult } from "@/tests/bench/sync-process";
import { serveTasks } from "@/tests/rig/side-process";

const PATIENCE_MS = 300_000;

await db().query("SELECT 1");
serveTasks({
  /** Syncs every profile that is due, as the service does it, and gives what it took. */
  sync: async (): Promise<TaskResult> => {
    const [began, before] = [performance.now(), process.cpuUsage()];
    await loopOf("sync").drain(PATIENCE_MS);
    const { user, system } = process.cpuUsage(before);
    return { ms: performance.now() - began, cpuMs: (user + system) / 1_000 };
  },
});
