// `npm run tz`: which release of the tz database this Node calculates with, and how old it is.
const release = process.versions.tz;
const year = Number(release.slice(0, 4));
const { icu, unicode } = process.versions;
process.stdout.write(`tzdb ${release} (in ICU ${icu}, Unicode ${unicode}, of Node.js ${process.versions.node})\n`);

// Changes of law that the data must know, newest first: a zone, an instant, and its offset in minutes since.
const changes = [
  ["2026c", "America/Edmonton", "2026-12-01T12:00:00Z", -360],
  ["2026c", "Africa/Casablanca", "2026-12-01T12:00:00Z", 0],
  ["2025b", "America/Coyhaique", "2025-07-01T12:00:00Z", -180],
  ["2024b", "Asia/Almaty", "2024-07-01T12:00:00Z", 300],
];
const missing = changes.filter(([, zone, at, minutes]) => offset(zone, at) !== minutes);
for (const [since, zone, at] of missing) {
  process.stdout.write(
    `  ${zone}: the rules of tzdb ${since} are missing; local times from ${at.slice(0, 10)} may be wrong\n`,
  );
}
if (missing.length > 0 || year < new Date().getUTCFullYear() - 1) {
  process.stdout.write(
    "To update, use a newer Node.js or newer ICU data: see server/decisions/0009-time-zone-data-is-nodes-own.md.\n",
  );
}

/** Computes the minutes east of UTC. Returns undefined for an unknown zone. */
function offset(zone, at) {
  try {
    const format = new Intl.DateTimeFormat("en", { timeZone: zone, timeZoneName: "longOffset" });
    const name = format.formatToParts(new Date(at)).find(({ type }) => type === "timeZoneName")?.value ?? "";
    const [, sign, hours, minutes] = /^GMT(?:([+-])(\d\d):(\d\d))?/.exec(name) ?? [];
    return sign ? (sign === "-" ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) : 0;
  } catch {
    return undefined;
  }
}
