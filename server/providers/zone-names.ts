import { isDeepStrictEqual } from "node:util";
import { findWindows, WINDOWS_TO_IANA_MAP } from "windows-iana";
import type { Instant } from "@/server/domain/time/instant";
import { type NamedZone, namedZone } from "@/server/domain/time/named-zone";
import { transitions } from "@/server/domain/time/transitions";
import { windowsZones } from "@/server/domain/time/windows-names";
import { type Zone, zone } from "@/server/domain/time/zone";

export type { NamedZone };

/**
 * Gives the zone that a TZID names: by its name in the tz database, even behind a vendor's path (`/mozilla.org/20050126_1/Europe/Berlin`),
 * or by its Windows name (`W. Europe Standard Time`).
 */
export function zoneNamed(text: string): NamedZone | null {
  const parts = text.trim().replace(/^"|"$/g, "").split("/").slice(-8);
  for (let from = 0; from < parts.length; from++) {
    const tzid = parts.slice(from).join("/");
    const found = zone(tzid);
    if (found) return { tzid, zone: found };
  }
  return namedZone(text.trim());
}

/** Gives the zones that represent a group of rules each, as Windows groups them. */
export function groupedZones(): string[] {
  grouped ??= [...new Set(windowsZones().values())];
  return grouped;
}

let grouped: string[] | undefined;

const YEAR_MS = 31_556_952_000;
/** How far ahead two zones have to show the same time. */
const COMPARED_YEARS = 3;
const windowsNames = new Map<string, string | null>();

/** Gives the name that Windows has for a zone, or for one that shows the same time for the years that follow. Null: there is none. */
export function windowsNameOf(tzid: string, from: Instant): string | null {
  const year = Math.floor(from / YEAR_MS);
  const key = `${tzid} ${year}`;
  const found = windowsNames.get(key);
  if (found !== undefined) return found;
  const name = findWindowsName(tzid, year);
  if (windowsNames.size >= MOST_NAMES) windowsNames.clear();
  windowsNames.set(key, name);
  return name;
}

const MOST_NAMES = 2_000;

function findWindowsName(tzid: string, year: number): string | null {
  const own = zone(tzid);
  if (!own) return null;
  const stepsOf = ({ format }: Zone) => transitions(format, year * YEAR_MS, (year + COMPARED_YEARS) * YEAR_MS);
  const steps = stepsOf(own);
  const isSame = (name: string) => {
    const shown = namedZone(name)?.zone;
    return shown === own || (shown !== undefined && isDeepStrictEqual(stepsOf(shown), steps));
  };
  const usual = [...findWindows(tzid), ...findWindows(own.format.resolvedOptions().timeZone)];
  const all = WINDOWS_TO_IANA_MAP.filter(({ territory }) => territory === "001").map(({ windowsName }) => windowsName);
  return [...usual, ...all].find(isSame) ?? null;
}
