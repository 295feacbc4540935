/** Changes of law that the data must know, newest first: a zone, an instant, and its offset in minutes since. */
const changes = [
  { since: "2026c", zone: "America/Edmonton", at: "2026-12-01T12:00:00Z", minutes: -360 },
  { since: "2026c", zone: "Africa/Casablanca", at: "2026-12-01T12:00:00Z", minutes: 0 },
  { since: "2025b", zone: "America/Coyhaique", at: "2025-07-01T12:00:00Z", minutes: -180 },
  { since: "2024b", zone: "Asia/Almaty", at: "2024-07-01T12:00:00Z", minutes: 300 },
];

/** Lists the changes of law that this Node's time zone data lacks. */
export function missingRules() {
  return changes.filter(({ zone, at, minutes }) => offset(zone, at) !== minutes);
}

/**
 * Computes the minutes east of UTC. Returns undefined for an unknown zone.
 * @param {string} zone
 * @param {string} at
 */
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
