import { distance } from "fastest-levenshtein";
import { IANA_ALIAS_MAP } from "windows-iana";
import { tzdbName } from "@/server/domain/time/tzdb-names";
import { windowsZones } from "@/server/domain/time/windows-names";
import { zone } from "@/server/domain/time/zone";

const LONGEST = 64;
/** The share of a name's letters that may be wrong: one in every four, two at most. */
const LETTERS_PER_MISTAKE = 4;
const MOST_MISTAKES = 2;

/** The most common meaning of an abbreviation, which alone names several zones or only half of the year. */
const abbreviations: Record<string, string> = {
  acdt: "Australia/Adelaide",
  acst: "Australia/Adelaide",
  aedt: "Australia/Sydney",
  aest: "Australia/Sydney",
  akdt: "America/Anchorage",
  akst: "America/Anchorage",
  awst: "Australia/Perth",
  brt: "America/Sao_Paulo",
  bst: "Europe/London",
  cdt: "America/Chicago",
  cest: "Europe/Paris",
  cst: "America/Chicago",
  edt: "America/New_York",
  eest: "Europe/Athens",
  hkt: "Asia/Hong_Kong",
  ist: "Asia/Kolkata",
  jst: "Asia/Tokyo",
  kst: "Asia/Seoul",
  mdt: "America/Denver",
  msk: "Europe/Moscow",
  nzdt: "Pacific/Auckland",
  nzst: "Pacific/Auckland",
  pdt: "America/Los_Angeles",
  pst: "America/Los_Angeles",
  sast: "Africa/Johannesburg",
  sgt: "Asia/Singapore",
  west: "Europe/Lisbon",
};

interface Known {
  /** IANA names by what people may write for them, in lower case: the name, its city, Windows names, abbreviations. */
  zones: Map<string, string>;
  /** The same keys by their first letter and their length, because similar names have nearly the same. */
  near: Map<string, string[]>;
}

let known: Known | undefined;

/**
 * Finds the IANA zone that a text probably means: `Europe/Berln`, `America/New York`, `Berlin`, `PST`. Null: none is
 * similar.
 */
export function similarZone(text: string): string | null {
  if (text.length > LONGEST) return null;
  known ??= knownNames();
  const written = text.trim().toLowerCase();
  const underscored = written.replace(/\s+/g, "_");
  const city = underscored.slice(underscored.lastIndexOf("/") + 1);
  const { zones } = known;
  const near = [written, underscored, nearest(known, underscored), nearest(known, written), city];
  const found = near.map((name) => zones.get(name ?? "")).find((name) => name !== undefined);
  return found !== undefined && zone(found) ? found : null;
}

function nearest({ near }: Known, name: string): string | undefined {
  // A number's neighbours are other numbers.
  if (/\d/.test(name)) return undefined;
  const most = Math.min(MOST_MISTAKES, Math.floor(name.length / LETTERS_PER_MISTAKE));
  const lengths = Array.from({ length: 2 * most + 1 }, (_, i) => name.length - most + i);
  const candidates = lengths.flatMap((length) => near.get(`${name.charAt(0)}${length}`) ?? []);
  let [best, fewest]: [string | undefined, number] = [undefined, most + 1];
  for (const candidate of candidates) {
    const mistakes = distance(name, candidate);
    if (mistakes < fewest) [best, fewest] = [candidate, mistakes];
  }
  return best;
}

function knownNames(): Known {
  const names = [...Intl.supportedValuesOf("timeZone"), ...IANA_ALIAS_MAP.flatMap(({ alias }) => [...alias])];
  const tzdb = names.filter((name) => tzdbName(name) !== null);
  const cities = tzdb.filter((name) => name.includes("/") && !name.startsWith("Etc/"));
  const zones = new Map([
    ...cities.map((name) => [name.slice(name.lastIndexOf("/") + 1).toLowerCase(), name] as const).reverse(),
    ...windowsZones(),
    ...tzdb.map((name) => [name.toLowerCase(), name] as const),
    ...Object.entries(abbreviations),
  ]);
  const near = new Map<string, string[]>();
  for (const name of zones.keys()) {
    if (name in abbreviations) continue;
    const key = `${name.charAt(0)}${name.length}`;
    near.set(key, [...(near.get(key) ?? []), name]);
  }
  return { zones, near };
}

/** Says what is wrong with a `tzid` that names no time zone, for errors. */
export function zoneFault(text: string): string {
  const similar = similarZone(text);
  return similar === null ? "is not an IANA time zone" : `is not an IANA time zone: did you mean ${similar}?`;
}
