import { resolve } from "node:path";
import { machine, plainResults, runParts } from "@/tests/rig/results";
import { deliveries } from "@/tests/scale/deliveries";
import { inngest } from "@/tests/scale/inngest/inngest";
import { kills } from "@/tests/scale/kills";
import { limits } from "@/tests/scale/limits";
import { syncs } from "@/tests/scale/syncs";

const results = plainResults({
  file: resolve("tests/scale/results.md"),
  head: `# Results of the last \`npm run scale\`\n\nThe built service on PostgreSQL and Redis, all on one machine: ${machine()}.`,
  columns: "| | Measured | Wanted | |\n|---|---|---|---|",
  missed: "missed",
});

await runParts({ deliveries, syncs, limits, kills, inngest }, process.argv.slice(2), results);
process.exit();
