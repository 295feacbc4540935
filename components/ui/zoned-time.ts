/** Formats what a clock in a zone (IANA name) shows at a time in milliseconds since 1970: 2026-11-21T18:27:42. */
export function wallClock(ms: number, zone: string): string {
  const { year, month, day, hour, minute, second } = Object.fromEntries(
    formatOf(zone)
      .formatToParts(ms)
      .map(({ type, value }) => [type, value]),
  );
  return `${year}-${month}-${day}T${hour}:${minute}:${second}`;
}

/**
 * Computes the time, in milliseconds since 1970, at which a clock in a zone shows what was typed. NaN: it is no time.
 */
export function fromWallClock(typed: string, zone: string): number {
  const asUtc = Date.parse(`${typed}Z`);
  if (Number.isNaN(asUtc)) return Number.NaN;
  // The second look decides if the first is on the other side of a clock change.
  const first = asUtc - offsetAt(asUtc, zone);
  return asUtc - offsetAt(first, zone);
}

/** Formats an ISO time for exports: 2026-11-21T18:27:42.123+01:00. UTC keeps its Z. */
export function zonedIso(iso: string, zone: string): string {
  const ms = Date.parse(iso);
  const minutes = Math.round(offsetAt(ms, zone) / MINUTE_MS);
  if (zone === "UTC") return iso;
  const two = (value: number) => String(value).padStart(2, "0");
  const offset = `${minutes < 0 ? "-" : "+"}${two(Math.floor(Math.abs(minutes) / 60))}:${two(Math.abs(minutes) % 60)}`;
  return `${wallClock(ms, zone)}.${new Date(ms).toISOString().slice(20, 23)}${offset}`;
}

/** Cached: creating a format takes as long as using it a hundred times. There are no more than the world's zones. */
const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone);
  if (known) return known;
  const made = new Intl.DateTimeFormat("en-GB", {
    ...{ year: "numeric", month: "2-digit", day: "2-digit", hour: "2-digit", minute: "2-digit", second: "2-digit" },
    ...{ hourCycle: "h23", calendar: "gregory", numberingSystem: "latn", timeZone },
  });
  formats.set(timeZone, made);
  return made;
}

const MINUTE_MS = 60_000;
const SECOND_MS = 1_000;

function offsetAt(ms: number, zone: string): number {
  return Date.parse(`${wallClock(ms, zone)}Z`) - Math.floor(ms / SECOND_MS) * SECOND_MS;
}
