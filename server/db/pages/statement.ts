import type { Binding } from "@/server/db/composed";
import { assumedDays, bounds, cutBounds, headOf, lookedUpDays, wholeRanges } from "@/server/db/pages/bounds";
import { branches, isPastLookback } from "@/server/db/pages/branches";
import type { Frame, Position } from "@/server/db/pages/frame";
import { localStarts, startOf } from "@/server/db/pages/local-starts";
import { type Parameters, parameters } from "@/server/db/pages/parameters";
import { type EventTexts, type Returned, returned } from "@/server/db/pages/returned";
import {
  type Counting,
  changedRows,
  countedDays,
  HAS_LONG,
  saidSince,
  type Taken,
  windowCount,
  windowRows,
} from "@/server/db/pages/scans";
import { bool, bytes, float8, int4, int4s, nullable, text } from "@/server/db/statement";
import { occurrenceState } from "@/server/domain/free-busy";
import type { Instant } from "@/server/domain/time/instant";
import type { Zone } from "@/server/domain/time/zone";

/** From so many calendars on, of which each would be read for a whole page, the days that fill the page are looked up first. */
const MANY_CALENDARS = 4;
/** A read of more changed pages than this goes through the window in order; one of fewer through what changed. */
const FEW_CHANGED_PAGES = 32;

/** A page of an account. */
export interface AskedPage {
  accountId: string;
  endpoint: "events" | "free_busy";
  frame: Frame;
  zone: Zone;
  /** Where the last page ended; null for the first. */
  position: Position | null;
  /** Calendars asked for by id, on the first page; later pages name them by number in the frame. */
  calendarIds: readonly string[] | null;
  /** Rows wanted: one more than the page holds tells whether there is another. */
  rows: number;
  /** How many calendars are read, as far as it is known. */
  calendarCount: number;
}

export interface PageRequest extends AskedPage {
  assumed: Assumed;
}

/**
 * What a statement assumes of its page, which then has fewer nodes: PostgreSQL prepares each of them for each call, whether it is needed or not.
 * Each is a column of the result too, false where it is not so; there are no rows then.
 */
export interface Assumed {
  /** No calendar has a span over 24 hours. */
  short: boolean;
  /** The page and its events are under `PAGE_BYTES`. */
  fits: boolean;
  /** So many days fill a first page of many calendars, which are looked up where this is null; as `filled` in the result. */
  days: number | null;
}

export interface PageShape extends Omit<Returned, "fields" | "fits" | "aggregates"> {
  /** Columns of the occurrence `o` that the scans carry. */
  scanned: string;
  fields(request: PageRequest): Returned["fields"];
}

/** A page as the statement returns it: in one row, because hundreds cost more than what they hold (ADR 37). */
export interface PageResult extends Partial<EventTexts> {
  /** Null when there are none. */
  rows: string | null;
  /** The records of the rows, one after another. */
  records: Buffer | null;
  /** The number and id of each calendar. */
  calendars?: string | null;
  short?: boolean;
  fits?: boolean;
  filled?: boolean;
  /** By how many days a first page of many calendars is filled; null: the window has no more than it holds, or it takes very many. */
  days?: number | null;
  /** How many rows the page would hold if their size did not matter. */
  found: number;
  /** On a first page: how many rows the read has. */
  total?: number;
  /** On a first page, when calendars were named. */
  numbers?: number[] | null;
  /** Whether the account has any of the calendars that are read. */
  hasCalendars?: boolean;
}

/** How each column is read. */
export function pageColumns(request: PageRequest) {
  const { position, calendarIds, assumed, endpoint } = request;
  return {
    rows: nullable(text),
    records: nullable(bytes),
    found: int4,
    hasCalendars: bool,
    ...(assumed.short && { short: bool }),
    ...(assumed.fits && endpoint === "events" && { fits: bool }),
    ...(position === null && { total: float8 }),
    ...(isFirstOfMany(request) && { days: nullable(int4), ...(assumed.days !== null && { filled: bool }) }),
    ...(calendarIds !== null && { numbers: nullable(int4s) }),
  };
}

/**
 * Whether the statement of a page keeps its plan on a connection. Each text has a plan of its own there, so those that are rare do not: of
 * what was deleted, and later pages of what changed. Of the others there are some hundreds, up to half a megabyte each, of which an
 * application uses two or three.
 */
export function isKeptPage({ frame, position }: PageRequest): boolean {
  return !frame.includeDeleted && (frame.modifiedSince === null || position === null);
}

/**
 * One page of a read as one statement: scans in the order of the page, merged, cut, and only then joined (ADR 4). A first page has `total`
 * and, when calendars were named, `numbers` too. Where rows can be large it ends with the row that reaches `PAGE_BYTES` at the latest.
 */
export function pageStatement(request: PageRequest, shape: PageShape, binding: Binding): string {
  const { frame, zone, position, calendarIds, assumed } = request;
  const p = parameters(binding);
  const starts = localStarts(frame, zone);
  const found = branches(frame, starts, position);
  const taken: Taken = {
    columns: `${shape.scanned}, ${startOf(starts, p)} AS at`,
    states: states(request),
    since: frame.modifiedSince === null ? null : microsecond(frame.modifiedSince, p),
  };
  const size = p.put(request.rows, "int");
  const isChanges = taken.since !== null && (position === null || position.total <= FEW_CHANGED_PAGES);
  const asksForLong = !isChanges && !found.every(isPastLookback);
  const withLong = asksForLong && !assumed.short;
  const rows = isChanges ? changedRows(taken, taken.columns) : windowRows(taken, { withLong });
  const page = `${rows} ORDER BY at, uid LIMIT (SELECT ${size})`;
  const [sum, cut] = [summed(request), isCut(request)];
  const known = isFirstOfMany(request) ? headOf(found, p) : null;
  const own = () => (frame.managed === "both" ? null : p.put(frame.managed === "own", "boolean"));
  const isCounted = known !== null && assumed.days === null;
  const counting: Counting | null =
    position || isChanges
      ? null
      : {
          sum,
          bounds: cut ? "whole" : "bound",
          ranges: wholeRanges(found, { fillPage: isCounted }, p),
          isCounted,
          own: own(),
          withLong,
          head: known?.head ?? null,
        };
  const total = () => (counting ? windowCount(taken, counting) : changedRows(taken, "count(*)"));
  // A page that is not full has all there is to count.
  const first = position
    ? ""
    : `, CASE WHEN page.found < (SELECT ${size}) THEN page.found ELSE (${total()}) END::float8 AS total`;
  const numbers = calendarIds ? ", (SELECT array_agg(number) FROM src) AS numbers" : "";
  const said = taken.since === null ? "" : `\n${saidSince(taken.since)},`;
  const isShort = asksForLong ? "NOT EXISTS (SELECT FROM src WHERE has_long)" : "true";
  const short = assumed.short ? `, ${isShort} AS short` : "";
  const window = `${bounds(found, { managed: frame.managed, size }, p)}${assumed.short ? ` WHERE ${isShort}` : ""}`;
  const days = known && assumed.days !== null ? p.put(assumed.days, "int") : null;
  const filled = known ? (days ? assumedDays(`(SELECT ${size})`, found, p) : lookedUpDays(found, p)) : "";
  const counted = counting && isCounted ? countedDays(counting) : null;
  const looks = () => ({ own: days ? null : (counting?.own ?? own()), counted });
  const returnedOf = {
    fits: assumed.fits,
    aggregates: known?.aggregates ?? [],
    ...shape,
    fields: shape.fields(request),
  };
  return `WITH src AS MATERIALIZED (${source(request, p, asksForLong)}),
${cut ? cutBounds(window, { branches: found, sum, size, days, ...looks() }, p) : `bound AS MATERIALIZED (${window}),`}${said}
${returned(page, returnedOf, `${short}${filled}${first}${numbers}, EXISTS (SELECT FROM src) AS "hasCalendars"`)}`;
}

/** Whether it is the first page of many calendars. */
export function isFirstOfMany(request: AskedPage): boolean {
  return request.position === null && isCut(request);
}

/** The counts by day are those of all occurrences, not of what changed. */
function isCut({ calendarCount, frame }: AskedPage): boolean {
  return calendarCount >= MANY_CALENDARS && frame.modifiedSince === null;
}

function source({ accountId, frame, calendarIds }: PageRequest, p: Parameters, asksForLong: boolean): string {
  const conditions = [`c.account_id = ${p.hide(accountId, "text")}`];
  if (calendarIds) conditions.push(`c.id = ANY(${p.hide(calendarIds, "text[]")})`);
  else if (frame.calendars) conditions.push(`c.number = ANY(${p.hide(frame.calendars, "int[]")})`);
  const long = asksForLong ? `, ${HAS_LONG} AS has_long` : "";
  return `SELECT c.id, c.number${long} FROM calendars c WHERE ${conditions.join(" AND ")}`;
}

/** Which states a read returns: for each index to walk the condition that it was made with. */
function states({ endpoint, frame }: PageRequest): string[] {
  const { live, declined, deleted } = occurrenceState;
  const undeleted = `o.state <> ${deleted}`;
  if (endpoint === "free_busy") return [`${undeleted} AND o.state <> ${declined}`];
  return frame.includeDeleted ? [undeleted, `o.state <> ${live} AND o.state <> ${declined}`] : [undeleted];
}

/** The same states as columns of `calendar_days`. */
function summed({ endpoint, frame }: PageRequest): string {
  if (endpoint === "free_busy") return "d.live";
  return frame.includeDeleted ? "d.live + d.declined + d.deleted" : "d.live + d.declined";
}

function microsecond(micros: number, p: Parameters): string {
  const seconds = Math.floor(micros / 1_000_000);
  const fraction = micros - seconds * 1_000_000;
  return `(SELECT ${p.instant((seconds * 1000) as Instant)} + ${p.put(fraction, "int")} * interval '1 microsecond')`;
}
