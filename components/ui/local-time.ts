/** Formats a time as 2026-11-21 18:27 CET: without seconds that are zero, for charts and chips. */
export function shortTime(iso: string, timeZone: string): string {
  return localTime(iso, timeZone).replace(/(:\d\d):00 /, "$1 ");
}

/** Formats a time as 2026-11-21 18:27:42 CET: in a zone, by default the reader's own, with the zone's short name. */
export function localTime(iso: string, timeZone?: string): string {
  const { year, month, day, hour, minute, second } = partsOf(iso, "en-GB", timeZone);
  return `${year}-${month}-${day} ${hour}:${minute}:${second} ${zoneNameAt(iso, timeZone)}`;
}

/** Each knows the short names that people use where it is spoken, and gives other zones by their offset from UTC. */
const LOCALES = ["en-GB", "en-US", "en-AU", "en-IN", "en-ZA"];

/** Returns CET, EST, AEDT, or GMT+9 if English has no short name. */
export function zoneNameAt(iso: string, timeZone: string | undefined): string {
  const names = LOCALES.map((locale) => partsOf(iso, locale, timeZone).timeZoneName ?? "");
  return names.find((name) => !/^GMT[+-]/.test(name)) ?? names[0] ?? "";
}

function partsOf(iso: string, locale: string, timeZone: string | undefined): Record<string, string> {
  const parts = formatOf(locale, timeZone).formatToParts(new Date(iso));
  return Object.fromEntries(parts.map(({ type, value }) => [type, value]));
}

/** Cached: creating a format takes as long as using it a hundred times. There are no more than the world's zones. */
const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(locale: string, timeZone: string | undefined): Intl.DateTimeFormat {
  const key = `${locale} ${timeZone ?? ""}`;
  const known = formats.get(key);
  if (known) return known;
  const made = new Intl.DateTimeFormat(locale, {
    ...{ year: "numeric", month: "2-digit", day: "2-digit", hour: "2-digit", minute: "2-digit", second: "2-digit" },
    ...{ hourCycle: "h23", calendar: "gregory", numberingSystem: "latn", timeZoneName: "short", timeZone },
  });
  formats.set(key, made);
  return made;
}
