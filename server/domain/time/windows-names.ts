import { WINDOWS_TO_IANA_MAP } from "windows-iana";

/** Chihuahua left its Windows zone's time in 2022, which the table of names does not reflect. Mazatlán stayed. */
const moved: Record<string, string> = { "Mountain Standard Time (Mexico)": "America/Mazatlan" };

let known: Map<string, string> | undefined;

/** Indexes the IANA zones of Windows names, in lower case. */
export function windowsZones(): ReadonlyMap<string, string> {
  known ??= new Map(
    WINDOWS_TO_IANA_MAP.filter(({ territory }) => territory === "001").map(({ windowsName, iana }) => [
      windowsName.toLowerCase(),
      moved[windowsName] ?? iana[0] ?? "",
    ]),
  );
  return known;
}

/**
 * Finds the IANA zone of a Windows name in any case, such as `W. Europe Standard Time`. Windows calls the same zone `…
 * Daylight Time` in summer. Returns null if there is no such name.
 */
export function fromWindowsName(name: string): string | null {
  return windowsZones().get(name.toLowerCase().replace(/ (?:daylight|summer) time\b/, " standard time")) ?? null;
}
