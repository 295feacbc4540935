import { percentDecoded } from "@/server/domain/text";

/** Holds "utc", or the zone of the browser that shows local times. */
export const TIMES_COOKIE = "almanac_times";

export type TimesMode = "local" | "utc";

/** The zone of the times that the dashboard shows, accepts in filters and writes in exports. */
export interface ShownTimes {
  mode: TimesMode;
  /** IANA name. UTC for local times until the browser has sent its zone. */
  zone: string;
}

/** Parses the cookie. It comes from outside: a zone that does not exist counts as none. */
export function shownTimes(cookie: string | undefined): ShownTimes {
  if (cookie === "utc") return { mode: "utc", zone: "UTC" };
  const zone = percentDecoded(cookie ?? "");
  return { mode: "local", zone: zone !== null && isZone(zone) ? zone : "UTC" };
}

/** Parses that cookie in a request's Cookie header. */
export function shownTimesOf(header: string | null): ShownTimes {
  const pairs = (header ?? "").split(";").map((pair) => pair.trim().split("="));
  return shownTimes(pairs.find(([name]) => name === TIMES_COOKIE)?.[1]);
}

const LONGEST_NAME = 64;

function isZone(name: string): boolean {
  if (!/^[A-Za-z][\w+/-]*$/.test(name) || name.length > LONGEST_NAME) return false;
  try {
    new Intl.DateTimeFormat("en-GB", { timeZone: name });
    return true;
  } catch {
    return false;
  }
}
