import { WINDOWS_TO_IANA_MAP } from "windows-iana";
import { type Leniency, readLeniently } from "@/server/providers/caldav/icalendar/lenient/leniency";
import { hasOffset, zoneOfPlaces } from "@/server/providers/caldav/icalendar/lenient/zone-places";
import { type NamedZone, zoneNamed } from "@/server/providers/zone-names";

const MAX_LENGTH = 200;
/** Zones whose clocks always stand at an offset that is no whole hour. */
const fixedZones: Readonly<Record<string, string>> = {
  "-570": "Pacific/Marquesas",
  "210": "Asia/Tehran",
  "270": "Asia/Kabul",
  "330": "Asia/Kolkata",
  "345": "Asia/Kathmandu",
  "390": "Asia/Yangon",
  "525": "Australia/Eucla",
  "570": "Australia/Darwin",
};

/** RFC 822 §5.1 and ISO 8601, and the summer times of Europe. The tz database has the others. */
const abbreviations: Readonly<Record<string, string>> = {
  EDT: "America/New_York",
  CST: "America/Chicago",
  CDT: "America/Chicago",
  MDT: "America/Denver",
  PST: "America/Los_Angeles",
  PDT: "America/Los_Angeles",
  Z: "Etc/UTC",
  WEST: "WET",
  CEST: "CET",
  EEST: "EET",
};

/** How names of zones are read beside those of the tz database and of Windows. A VTIMEZONE of that name comes before this table. */
export const zoneSpellings: readonly Leniency[] = [
  {
    name: "quotes or backslashes",
    why: "Single quotes are no quotes of RFC 5545, and a parameter has no escapes.",
    example: ["'Europe\\/Berlin'", "Europe/Berlin"],
    respell: (text) => unescaped(text).replace(/^[\s"'`]+|[\s"'`]+$/g, ""),
  },
  {
    name: "a slash as in an address",
    why: "A name that was encoded as a part of a URL.",
    example: ["Europe%2FBerlin", "Europe/Berlin"],
    respell: (text) => text.replace(/%2F/gi, "/"),
  },
  {
    name: "blanks for underscores",
    why: "The way people write the city.",
    example: ["America/New York", "America/New_York"],
    respell: (text) => (/^\w+\/[\w/\s-]+$/.test(text) ? text.replace(/\s+/g, "_") : text),
  },
  {
    name: "a name of the tz database within another text",
    why: "Display names with the name in brackets.",
    example: ["(UTC+01:00) Europe/Berlin - CET", "Europe/Berlin"],
    respell: (text) => {
      const names = text.match(/[A-Za-z]+\/[A-Za-z_+-]+(?:\/[A-Za-z_+-]+)?/g) ?? [];
      return names.find((name) => zoneNamed(name) !== null) ?? text;
    },
  },
  {
    name: "a name of Windows in another spelling",
    why: "Other letter case, underscores, the name of its summer time, or without “Standard Time”.",
    example: ["w._europe_daylight_time", "W. Europe Standard Time"],
    respell: (text) => windowsNames().get(lettersOf(text)) ?? text,
  },
  {
    name: "an abbreviation",
    why: "A calendar of one zone names it in summer and in winter by the same letters: the clocks of the region are meant.",
    example: ["PST", "America/Los_Angeles"],
    respell: (text) => abbreviations[text.trim().toUpperCase()] ?? text,
  },
  {
    name: "the offsets of winter and summer",
    why: "Older versions of Outlook name zones so. Of zones with both the best known one is meant.",
    example: ["GMT-05.00/-04.00", "America/New_York"],
    respell: (text) => zoneOfOffsets(text) ?? text,
  },
  {
    name: "an offset",
    why: "East of UTC where it is positive, as in RFC 5545 and unlike Etc/GMT.",
    example: ["GMT+0530", "Asia/Kolkata"],
    respell: (text) => {
      const { east, places } = displayed(text);
      return east !== null && places === "" ? (fixedZone(east) ?? text) : text;
    },
  },
  {
    name: "a display name of Outlook, or a city alone",
    why: "What Windows shows for a zone is written where its name belongs. Of several cities the first with the written offset counts.",
    example: ["(UTC-05:00) Eastern Time (US & Canada)", "America/New_York"],
    respell: (text) => {
      const { east, places } = displayed(text);
      return zoneOfPlaces(places, east) ?? text;
    },
  },
  {
    name: "a display name of an unknown place",
    why: "Its offset is understood.",
    example: ["(UTC+03:00) Atlantis", "Etc/GMT-3"],
    respell: (text) => {
      const { east, places } = displayed(text);
      return east !== null && places !== text.trim() ? (fixedZone(east) ?? text) : text;
    },
  },
];

/** Gives the zone that a name means in any spelling of the table. Null: it means none. */
export function zoneMeant(name: string): NamedZone | null {
  return name.length > MAX_LENGTH ? null : readLeniently(name, zoneSpellings, zoneNamed);
}

/** Gives the offset in minutes east of UTC that a name consists of or begins with. Null: it has none. */
export function offsetNamed(name: string): number | null {
  return name.length > MAX_LENGTH ? null : displayed(unescaped(name).replace(/^[\s"'`]+/, "")).east;
}

/** Gives a name of a zone without what may differ between a VTIMEZONE, where it is a text, and a parameter. */
export function comparableName(name: string): string {
  return unescaped(name)
    .replace(/^["'\s]+|["'\s]+$/g, "")
    .replace(/\s+/g, " ")
    .toLowerCase();
}

function unescaped(name: string): string {
  return name.replace(/\\([\\,;/])/g, "$1");
}

/**
 * Splits a display name into the offset east of UTC in minutes that it begins with or consists of, and what follows it.
 */
function displayed(text: string): { east: number | null; places: string } {
  const [all, sign, hours, minutes = "0"] =
    /^\s*\(?\s*(?:UTC|GMT|Z)?\s*([+\-\u2212\u2013])\s*(\d{1,2})(?:[:.]?([0-5]\d))?(?!\d)\s*\)?/i.exec(text) ?? [];
  if (all === undefined || Number(hours) > 14)
    return { east: null, places: text.replace(/^\s*\((?:UTC|GMT)\)/i, "").trim() };
  const east = Number(hours) * 60 + Number(minutes);
  return { east: sign === "+" ? east : -east, places: text.slice(all.length).trim() };
}

/** Zones with summer time, the best known first. */
const withSummer = [
  ...["America/New_York", "America/Chicago", "America/Denver", "America/Los_Angeles", "America/Halifax"],
  ...["America/St_Johns", "America/Anchorage", "Europe/London", "Europe/Berlin", "Europe/Helsinki"],
  ...["Australia/Sydney", "Australia/Adelaide", "Pacific/Auckland"],
];

function zoneOfOffsets(text: string): string | null {
  const offsets = [...text.matchAll(/([+-])(\d{1,2})(?:[.:]?([0-5]\d))?/g)].map(([, sign, hours, minutes = "0"]) => {
    const east = Number(hours) * 60 + Number(minutes);
    return sign === "-" ? -east : east;
  });
  const [winter, summer] = offsets;
  if (offsets.length !== 2 || winter === undefined || summer === undefined || winter === summer) return null;
  return withSummer.find((tzid) => hasOffset(tzid, winter) && hasOffset(tzid, summer)) ?? null;
}

function fixedZone(east: number): string | null {
  if (east === 0) return "Etc/UTC";
  const hours = east / 60;
  if (!Number.isInteger(hours)) return fixedZones[String(east)] ?? null;
  return hours >= -12 && hours <= 14 ? `Etc/GMT${hours > 0 ? "-" : "+"}${Math.abs(hours)}` : null;
}

let byLetters: ReadonlyMap<string, string> | undefined;

function windowsNames(): ReadonlyMap<string, string> {
  byLetters ??= new Map(WINDOWS_TO_IANA_MAP.map(({ windowsName }) => [lettersOf(windowsName), windowsName]));
  return byLetters;
}

function lettersOf(name: string): string {
  return name
    .toLowerCase()
    .replaceAll("_", " ")
    .replace(/\b(?:(?:standard|daylight|summer)\s+)?time\b|[^a-z0-9+-]/g, "");
}
