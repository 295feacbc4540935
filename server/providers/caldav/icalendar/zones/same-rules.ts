import type { Instant } from "@/server/domain/time/instant";
import type { LocalTime } from "@/server/domain/time/rfc3339";
import { transitions } from "@/server/domain/time/transitions";
import { zone } from "@/server/domain/time/zone";
import { type OwnZone, ownChanges, ownInstant } from "@/server/providers/caldav/icalendar/zones/own-zone";
import { groupedZones, type NamedZone } from "@/server/providers/zone-names";

interface Sample {
  at: Instant;
  /** Seconds east of UTC. */
  offset: number;
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const YEAR_MS = 366 * DAY_MS;
/** Clocks whose rules have changed since differ for some weeks of a year. */
const LEAST_SHARE = 0.8;
const MOST_SAMPLES = 100;

/**
 * Gives the zone of the tz database whose clocks equal those of a VTIMEZONE in the year after a local time, or nearly so and exactly at that
 * time.
 * @param name its TZID, which may contain the name of a city
 * @returns null when none is close
 */
export function zoneWithRules(own: OwnZone, name: string, local: LocalTime): NamedZone | null {
  const [first, ...others] = samplesFrom(own, local);
  // No zone changes its clocks this often.
  if (others.length > MOST_SAMPLES) return null;
  let best: { found: NamedZone; share: number } | null = null;
  for (const tzid of candidates(name)) {
    const found = zone(tzid);
    if (!found || !first || !agrees(found.format, first)) continue;
    const right = others.filter((sample) => agrees(found.format, sample)).length;
    const share = right / others.length;
    if (share === 1) return { tzid, zone: found };
    if (share >= LEAST_SHARE && share > (best?.share ?? 0)) best = { found: { tzid, zone: found }, share };
  }
  return best?.found ?? null;
}

/** Lists zones: first cities in the name, then fixed offsets, then zones that merely have no clock changes. */
function candidates(name: string): string[] {
  const fixed = Array.from({ length: 27 }, (_, i) => `Etc/GMT${i < 13 ? "-" : "+"}${i < 13 ? 12 - i : i - 13}`);
  const all = [...new Set(["Etc/UTC", ...fixed, ...groupedZones()])];
  const text = name.toLowerCase();
  const isNamed = (tzid: string) => text.includes((tzid.split("/").at(-1) ?? tzid).replaceAll("_", " ").toLowerCase());
  return [...all.filter(isNamed), ...all.filter((tzid) => !isNamed(tzid))];
}

function samplesFrom(own: OwnZone, local: LocalTime): Sample[] {
  const changes = ownChanges(own, local, (local + YEAR_MS) as LocalTime);
  const near = changes.flatMap((at) => [at - 3 * HOUR_MS, at - 1000, at + 3 * HOUR_MS]);
  const spread = Array.from({ length: 37 }, (_, i) => local + i * 10 * DAY_MS);
  return [...spread, ...near].map((time) => {
    const at = Math.floor(ownInstant(own, time as LocalTime) / 1000) * 1000;
    return { at: at as Instant, offset: Math.round((time - at) / 1000) };
  });
}

function agrees(format: Intl.DateTimeFormat, { at, offset }: Sample): boolean {
  return transitions(format, at, at + 1000)[0].offset === offset;
}
