import { badRequest, gone } from "./errors";
import { parameter } from "./request";
import type { CalendarRecord, World } from "./state";

/** Where a round of change tracking stands: "State tokens are completely opaque to the client." */
export interface Round {
  calendarId: string;
  /** The span of the calendar view: "These tokens … encode the startDateTime and endDateTime parameters". */
  from: number;
  to: number;
  /** Changes after this one are wanted; null in a first round. */
  since: number | null;
  /** The last change before the round began, where the next one starts: no change between pages is lost. Null before the first request. */
  began: number | null;
  /** The key of the last entry that was sent; null before the first page. */
  after: string | null;
}

interface Token extends Round {
  /** The last change when the token was made. */
  issued: number;
}

function decoded(token: string): Token | undefined {
  try {
    return JSON.parse(Buffer.from(token, "base64url").toString()) as Token;
  } catch {
    return undefined;
  }
}

/** The link that goes on with a round, or that begins the next one. */
export function linkOf(world: World, path: string, kind: "$skiptoken" | "$deltatoken", round: Round): string {
  const token: Token = { ...round, issued: world.version() };
  return `${world.origin}${path}?${kind}=${Buffer.from(JSON.stringify(token)).toString("base64url")}`;
}

/** The round that a request's token names; undefined for a first request. */
export function roundOf(
  world: World,
  calendar: CalendarRecord,
  path: string,
  query: URLSearchParams,
): Round | undefined {
  const text = parameter(query, "$skiptoken") ?? parameter(query, "$deltatoken");
  if (text === null || text === "") return undefined;
  const token = decoded(text);
  // [K]: a token that cannot be read, or that is of another calendar.
  if (token?.calendarId !== calendar.id) throw badRequest("ErrorInvalidUrlQuery", "Badly formed token.");
  const { issued, ...round } = token;
  if (issued >= calendar.tokenFloor) return round;
  // Page "Use delta query", Synchronization reset: "a Location header containing a request URL with an empty $deltaToken".
  throw gone(world.knobs.goneCode, `${world.origin}${path}?$deltatoken=`);
}
