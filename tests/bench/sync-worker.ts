import { db } from "@/server/db/client";
import { syncing } from "@/server/jobs/provider-work";
import type { TaskResult } from "@/tests/bench/sync-process";

const PATIENCE_MS = 300_000;

/** A process that syncs every profile that is due each time it is asked, as the service does it, and answers with what it took. */
await db().query("SELECT 1");
process.on("message", async () => {
  const [began, before] = [performance.now(), process.cpuUsage()];
  await syncing().drain(PATIENCE_MS);
  const { user, system } = process.cpuUsage(before);
  const took: TaskResult = { ms: performance.now() - began, cpuMs: (user + system) / 1_000 };
  process.send?.(took);
});
process.on("disconnect", () => process.exit());
