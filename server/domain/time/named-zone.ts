import { fromWindowsName } from "@/server/domain/time/windows-names";
import { type Zone, zone } from "@/server/domain/time/zone";

/** A time zone, and the name to store: the caller's own spelling of an IANA name. */
export interface NamedZone {
  tzid: string;
  zone: Zone;
}

/**
 * Finds the time zone of a `tzid`: an IANA name, or a Windows name such as `W. Europe Standard Time`, which is stored
 * as its IANA zone.
 */
export function namedZone(text: string): NamedZone | null {
  for (const tzid of [text, fromWindowsName(text)]) {
    const found = tzid === null ? null : zone(tzid);
    if (tzid !== null && found) return { tzid, zone: found };
  }
  return null;
}
