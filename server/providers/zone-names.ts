import { findIana, WINDOWS_TO_IANA_MAP } from "windows-iana";
import { type Zone, zone } from "@/server/domain/time/zone";

/** A time zone with its stored name. */
export interface NamedZone {
  tzid: string;
  zone: Zone;
}

/**
 * The zone that a TZID names: by its name in the tz database, even behind a vendor's path (`/mozilla.org/20050126_1/Europe/Berlin`),
 * or by its Windows name (`W. Europe Standard Time`).
 */
export function zoneNamed(text: string): NamedZone | null {
  const parts = text.trim().replace(/^"|"$/g, "").split("/").slice(-8);
  for (let from = 0; from < parts.length; from++) {
    const found = named(parts.slice(from).join("/"));
    if (found) return found;
  }
  return fromWindows(text.trim());
}

/** Chihuahua left the time of its Windows zone in 2022, which the table of names does not know; Mazatlán stayed. */
const moved: Record<string, string> = { "Mountain Standard Time (Mexico)": "America/Mazatlan" };

/** The zones that represent a group of rules each, as Windows groups them. */
export function groupedZones(): string[] {
  const representatives = WINDOWS_TO_IANA_MAP.filter(({ territory }) => territory === "001");
  grouped ??= [...new Set(representatives.flatMap(({ windowsName, iana }) => moved[windowsName] ?? iana))];
  return grouped;
}

let grouped: string[] | undefined;

function named(tzid: string): NamedZone | null {
  const found = zone(tzid);
  return found && { tzid, zone: found };
}

function fromWindows(name: string): NamedZone | null {
  for (const tzid of [moved[name] ?? "", ...findIana(name, "001"), ...findIana(name)]) {
    const found = named(tzid);
    if (found) return found;
  }
  return null;
}
