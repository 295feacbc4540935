import { type Zone, zone } from "@/server/domain/time/zone";

export function namedZone(tzid: string): Zone {
  const found = zone(tzid);
  if (!found) throw new Error(`${tzid} is not a time zone`);
  return found;
}
