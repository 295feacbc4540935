import type { Instant } from "@/server/domain/time/instant";
import { offsetAt, zone } from "@/server/domain/time/zone";

/** Names of regions in the display names of Windows that are no city of the tz database. The longest that fits counts. */
const regions: readonly (readonly [begins: string, tzid: string])[] = [
  ["abu dhabi", "Asia/Dubai"],
  ["alaska", "America/Anchorage"],
  ["aleutian", "America/Adak"],
  ["arizona", "America/Phoenix"],
  ["astana", "Asia/Almaty"],
  ["atlantic time", "America/Halifax"],
  ["baja california", "America/Tijuana"],
  ["beijing", "Asia/Shanghai"],
  ["brasilia", "America/Sao_Paulo"],
  ["cape verde", "Atlantic/Cape_Verde"],
  ["central america", "America/Guatemala"],
  ["central european time", "Europe/Berlin"],
  ["central time", "America/Chicago"],
  ["central time (mexico", "America/Mexico_City"],
  ["chennai", "Asia/Kolkata"],
  ["chokurdakh", "Asia/Srednekolymsk"],
  ["coordinated universal time", "Etc/UTC"],
  ["eastern european time", "Europe/Bucharest"],
  ["eastern time", "America/New_York"],
  ["eastern time (mexico", "America/Cancun"],
  ["chetumal", "America/Cancun"],
  ["ekaterinburg", "Asia/Yekaterinburg"],
  ["greenland", "America/Nuuk"],
  ["greenwich mean time", "Europe/London"],
  ["haiti", "America/Port-au-Prince"],
  ["hawaii", "Pacific/Honolulu"],
  ["indiana", "America/Indiana/Indianapolis"],
  ["international date line west", "Etc/GMT+12"],
  ["islamabad", "Asia/Karachi"],
  ["mid-atlantic", "Etc/GMT+2"],
  ["mountain time", "America/Denver"],
  ["mountain time (mexico", "America/Mazatlan"],
  ["mumbai", "Asia/Kolkata"],
  ["new caledonia", "Pacific/Noumea"],
  ["new delhi", "Asia/Kolkata"],
  ["newfoundland", "America/St_Johns"],
  ["nuku", "Pacific/Tongatapu"],
  ["pacific time", "America/Los_Angeles"],
  ["pacific time (mexico", "America/Tijuana"],
  ["port louis", "Indian/Mauritius"],
  ["pretoria", "Africa/Johannesburg"],
  ["rangoon", "Asia/Yangon"],
  ["saint pierre", "America/Miquelon"],
  ["salvador", "America/Bahia"],
  ["samoa", "Pacific/Apia"],
  ["solomon is", "Pacific/Guadalcanal"],
  ["sri jayawardenepura", "Asia/Colombo"],
  ["st. petersburg", "Europe/Moscow"],
  ["turks and caicos", "America/Grand_Turk"],
  ["wellington", "Pacific/Auckland"],
  ["west central africa", "Africa/Lagos"],
  ["western european time", "Europe/Lisbon"],
];

/** Names of cities that the tz database changed: ICU lists the old ones. */
const renamed = ["Asia/Kolkata", "Asia/Kathmandu", "Asia/Yangon", "Asia/Ho_Chi_Minh", "Europe/Kyiv", "America/Nuuk"];
const links = ["Asia/Chongqing", "Asia/Tel_Aviv", "Australia/Canberra", "Asia/Istanbul"];
/** A winter and a summer of the northern hemisphere. */
const LOOKED_AT = [Date.UTC(2026, 0, 15), Date.UTC(2026, 6, 15)] as Instant[];
const MOST_PLACES = 12;

let cities: ReadonlyMap<string, string> | undefined;

/**
 * Gives the zone of the first place in a text that is a city of the tz database, or a region of Windows.
 * @param east the offset that is written beside it, in minutes. A place with that offset comes before one without. Null: none is written
 */
export function zoneOfPlaces(text: string, east: number | null): string | null {
  const places = text
    .toLowerCase()
    .split(/[,/;&]|\s-\s/, MOST_PLACES)
    .flatMap((place) => placeNamed(place.replace(/^[\s(]+|[\s).]+$/g, "")) ?? []);
  const found = places.find((tzid) => east === null || hasOffset(tzid, east));
  // Governments change offsets, but not that of a zone without a place.
  return found ?? places.find((tzid) => !tzid.startsWith("Etc/")) ?? null;
}

function placeNamed(place: string): string | undefined {
  cities ??= new Map(
    [...Intl.supportedValuesOf("timeZone"), ...renamed, ...links].map((tzid) => [cityOf(tzid), tzid] as const),
  );
  const begun = regions.filter(([begins]) => place.startsWith(begins));
  const [region] = begun.sort(([a], [b]) => b.length - a.length);
  return region?.[1] ?? cities.get(place) ?? cities.get(place.replace(/\s+(?:is\.?|islands?|time)$/, ""));
}

function cityOf(tzid: string): string {
  return (tzid.split("/").at(-1) ?? tzid).replaceAll("_", " ").toLowerCase();
}

/** Tells whether the clocks of a zone stand at an offset in minutes east of UTC, in winter or in summer. */
export function hasOffset(tzid: string, east: number): boolean {
  const found = zone(tzid);
  return found !== null && LOOKED_AT.some((at) => offsetAt(found, at) === east * 60);
}
