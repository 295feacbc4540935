/** 2026-11-21 18:27 CET: the same without seconds that are zero, for charts and chips. */
export function shortTime(iso: string, timeZone: string): string {
  return localTime(iso, timeZone).replace(/(:\d\d):00 /, "$1 ");
}

/** 2026-11-21 18:27:42 CET: the time in a zone, the reader's own when none is given, and the zone's short name. */
export function localTime(iso: string, timeZone?: string): string {
  const format = new Intl.DateTimeFormat("en-GB", {
    ...{ year: "numeric", month: "2-digit", day: "2-digit", hour: "2-digit", minute: "2-digit", second: "2-digit" },
    ...{ hourCycle: "h23", calendar: "gregory", numberingSystem: "latn", timeZoneName: "short", timeZone },
  });
  const parts = Object.fromEntries(format.formatToParts(new Date(iso)).map(({ type, value }) => [type, value]));
  const { year, month, day, hour, minute, second, timeZoneName } = parts;
  return `${year}-${month}-${day} ${hour}:${minute}:${second} ${timeZoneName}`;
}
