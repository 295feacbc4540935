import { resolve } from "node:path";
import { clock } from "@/tests/faults/clock";
import { deadReceivers } from "@/tests/faults/dead-receivers";
import { googleKill9 } from "@/tests/faults/google-kill-9";
import { inngestAway } from "@/tests/faults/inngest-away";
import { kill9 } from "@/tests/faults/kill-9";
import { mixedDay } from "@/tests/faults/mixed-day";
import { neighbours } from "@/tests/faults/neighbours";
import { noWake } from "@/tests/faults/no-wake";
import {
  inngestAway as inngestOutage,
  postgresAway,
  providerAway,
  redisAway,
  smtpAway,
} from "@/tests/faults/outages/outages";
import { poison } from "@/tests/faults/poison";
import { postgresRestart } from "@/tests/faults/postgres-restart";
import { sideBySide } from "@/tests/faults/side-by-side";
import { slowReceivers } from "@/tests/faults/slow-receivers";
import { syncKill9 } from "@/tests/faults/sync-kill-9";
import { twoProcesses } from "@/tests/faults/two-processes";
import { upgrade } from "@/tests/faults/upgrade";
import { machine, plainResults, type Row, runParts } from "@/tests/rig/results";

const faults: Record<string, () => Promise<Row[]>> = {
  "kill-9": kill9,
  "sync-kill-9": syncKill9,
  "google-kill-9": googleKill9,
  "no-wake": noWake,
  "postgres-restart": postgresRestart,
  clock,
  "two-processes": twoProcesses,
  poison,
  "dead-receivers": deadReceivers,
  "slow-receivers": slowReceivers,
  "inngest-away": inngestAway,
  "outage-postgres": postgresAway,
  "outage-redis": redisAway,
  "outage-inngest": inngestOutage,
  "outage-provider": providerAway,
  "outage-smtp": smtpAway,
  neighbours,
  "mixed-day": mixedDay,
  ...(process.env.UPGRADE_FROM && { upgrade, "side-by-side": sideBySide }),
};

const results = plainResults({
  file: resolve("tests/faults/results.md"),
  head: `# Results of the last \`npm run faults\`\n\nThe real service on PostgreSQL; receivers run in the script's process; ${machine()}.`,
  columns: "| Fault | Measured | Limit | |\n|---|---|---|---|",
  missed: "over",
});

await runParts(faults, process.argv.slice(2), results);
process.exit();
