// `npm run tz`: which release of the tz database this Node calculates with, and how old it is.
import { missingRules } from "./time-zone-data.mjs";

const { tz: release, icu, unicode, node } = process.versions;
process.stdout.write(`tzdb ${release} (in ICU ${icu}, Unicode ${unicode}, of Node.js ${node})\n`);
const missing = missingRules();
for (const { since, zone, at } of missing) {
  process.stdout.write(
    `  ${zone}: the rules of tzdb ${since} are missing; local times from ${at.slice(0, 10)} may be wrong\n`,
  );
}
if (missing.length > 0 || Number(release.slice(0, 4)) < new Date().getUTCFullYear() - 1) {
  process.stdout.write(
    "To update, use a newer Node.js or newer ICU data: see server/decisions/0009-time-zone-data-is-nodes-own.md.\n",
  );
}
