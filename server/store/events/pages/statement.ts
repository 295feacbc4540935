import type { Binding } from "@/server/db/composed";
import { bool, bytes, float8, int4, int4s, nullable, text } from "@/server/db/statement";
import { occurrenceState } from "@/server/domain/free-busy";
import type { Instant } from "@/server/domain/time/instant";
import type { Zone } from "@/server/domain/time/zone";
import { bounds, cutBounds, headOf, wholeRanges } from "@/server/store/events/pages/bounds";
import { branches, isPastLookback } from "@/server/store/events/pages/branches";
import type { Frame, Position } from "@/server/store/events/pages/frame";
import { localStarts, startOf } from "@/server/store/events/pages/local-starts";
import { type Parameters, parameters } from "@/server/store/events/pages/parameters";
import { type EventTexts, endOfStatement, type ReturnedColumns } from "@/server/store/events/pages/returned";
import {
  changedRows,
  countedDays,
  HAS_LONG,
  type OccurrenceSelection,
  saidSince,
  type WindowCountInput,
  windowCount,
  windowRows,
} from "@/server/store/events/pages/scans";

/** From this many calendars on, each of which would be read for a whole page, the days that fill the page are looked up first. */
const MANY_CALENDARS = 4;
/** A read of more changed pages than this walks the window in order; one of fewer starts from what changed. */
const FEW_CHANGED_PAGES = 32;

/** The request for a page of an account. */
export interface AccountPage {
  accountId: string;
  endpoint: "events" | "free_busy";
  frame: Frame;
  zone: Zone;
  /** The end of the last page; null for the first. */
  position: Position | null;
  /** Calendars requested by id, on the first page; later pages name them by number in the frame. */
  calendarIds: readonly string[] | null;
  /** Requested rows: one more than the page holds shows whether there is another. */
  rows: number;
  /** How many calendars are read, as far as that is known. */
  calendarCount: number;
}

export interface PageRequest extends AccountPage {
  assumed: PageAssumptions;
}

/**
 * The assumptions of a statement about its page, which then has fewer nodes: PostgreSQL prepares each of them for each
 * call, whether it is needed or not. Each is also a column of the result, false when it does not hold; there are no
 * rows then.
 */
export interface PageAssumptions {
  /** No calendar has a span over 24 hours. */
  short: boolean;
  /** The page and its events are under `PAGE_BYTES`. */
  fits: boolean;
}

export interface PageShape extends Omit<ReturnedColumns, "fields" | "fits" | "aggregates"> {
  /** Columns of the occurrence `o` that the scans carry. */
  scanned: string;
  fields(request: PageRequest): ReturnedColumns["fields"];
}

/** A page as the statement returns it: in one row, because hundreds cost more than their content (ADR 37). */
export interface PageResult extends Partial<EventTexts> {
  /** Null when there are none. */
  rows: string | null;
  /** The records of the rows, one after another. */
  records: Buffer | null;
  /** The number and id of each calendar. */
  calendars?: string | null;
  short?: boolean;
  fits?: boolean;
  /** How many rows the page would hold if their size did not matter. */
  found: number;
  /** On a first page: how many rows the read has. */
  total?: number;
  /** On a first page, when calendars were named. */
  numbers?: number[] | null;
  /** Whether the account has any of the calendars that are read. */
  hasCalendars?: boolean;
}

/** Returns the type of each column. */
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
    ...(calendarIds !== null && { numbers: nullable(int4s) }),
  };
}

/**
 * Reports whether the statement of a page keeps its plan on a connection. Each text has a plan of its own there, so
 * rare ones do not: windows with deleted rows, and later pages of changes. There are some hundreds of others, up to
 * half a megabyte each, of which an application uses two or three. The first page of changes costs eight times as much
 * when it is planned and nothing changed.
 */
export function isKeptPage({ frame, position }: PageRequest): boolean {
  return frame.modifiedSince === null ? !frame.includeDeleted : position === null;
}

/**
 * Builds one page of a read as one statement: scans in the order of the page, merged, cut, and only then joined (ADR
 * 4). A first page also has `total` and, when calendars were named, `numbers`. Where rows can be large it ends with the
 * row that reaches `PAGE_BYTES` at the latest.
 */
export function pageStatement(request: PageRequest, shape: PageShape, binding: Binding): string {
  const { frame, zone, position, calendarIds, assumed } = request;
  const p = parameters(binding);
  const starts = localStarts(frame, zone);
  const kinds = branches(frame, starts, position);
  const taken: OccurrenceSelection = {
    columns: `${shape.scanned}, ${startOf(starts, p)} AS at`,
    states: states(request),
    since: frame.modifiedSince === null ? null : microsecond(frame.modifiedSince, p),
  };
  const size = p.put(request.rows, "int");
  const isChanges = taken.since !== null && (position === null || position.total <= FEW_CHANGED_PAGES);
  const asksForLong = !isChanges && !kinds.every(isPastLookback);
  const withLong = asksForLong && !assumed.short;
  const rows = isChanges ? changedRows(taken, taken.columns) : windowRows(taken, { withLong });
  const page = `${rows} ORDER BY at, uid LIMIT (SELECT ${size})`;
  const [sum, cut] = [sumOfStates(request), isCut(request)];
  const head = cut && !position ? headOf(kinds, p) : null;
  const own = () => (frame.managed === "both" ? null : p.put(frame.managed === "own", "boolean"));
  const isCounted = head !== null;
  const counting: WindowCountInput | null =
    position || isChanges
      ? null
      : {
          sum,
          bounds: cut ? "whole" : "bound",
          ranges: wholeRanges(kinds, { fillPage: isCounted }, p),
          isCounted,
          own: own(),
          withLong,
          head: head?.head ?? null,
        };
  const total = () => (counting ? windowCount(taken, counting) : changedRows(taken, "count(*)"));
  // A page that is not full contains everything there is to count.
  const first = position
    ? ""
    : `, CASE WHEN page.found < (SELECT ${size}) THEN page.found ELSE (${total()}) END::float8 AS total`;
  const numbers = calendarIds ? ", (SELECT array_agg(number) FROM src) AS numbers" : "";
  const series = taken.since === null ? "" : `\n${saidSince(taken.since)},`;
  const isShort = asksForLong ? "NOT EXISTS (SELECT FROM src WHERE has_long)" : "true";
  const short = assumed.short ? `, ${isShort} AS short` : "";
  const window = `${bounds(kinds, { managed: frame.managed, size }, p)}${assumed.short ? ` WHERE ${isShort}` : ""}`;
  const counted = counting && isCounted ? countedDays(counting) : null;
  const looks = () => ({ own: counting?.own ?? own(), counted });
  const returnedOf = {
    fits: assumed.fits,
    aggregates: head?.aggregates ?? [],
    ...shape,
    fields: shape.fields(request),
  };
  return `WITH src AS MATERIALIZED (${source(request, p, asksForLong)}),
${cut ? cutBounds(window, { branches: kinds, sum, size, ...looks() }, p) : `bound AS MATERIALIZED (${window}),`}${series}
${endOfStatement(page, returnedOf, `${short}${first}${numbers}, EXISTS (SELECT FROM src) AS "hasCalendars"`)}`;
}

/** Says whether only the days that fill the page are read. The counts by day are those of all occurrences, not of what changed. */
function isCut({ calendarCount, frame }: AccountPage): boolean {
  return calendarCount >= MANY_CALENDARS && frame.modifiedSince === null;
}

function source({ accountId, frame, calendarIds }: PageRequest, p: Parameters, asksForLong: boolean): string {
  const conditions = [`c.account_id = ${p.hide(accountId, "text")}`];
  if (calendarIds) conditions.push(`c.id = ANY(${p.hide(calendarIds, "text[]")})`);
  else if (frame.calendars) conditions.push(`c.number = ANY(${p.hide(frame.calendars, "int[]")})`);
  if (!frame.includeDeleted) conditions.push("NOT c.deleted");
  const long = asksForLong ? `, ${HAS_LONG} AS has_long` : "";
  return `SELECT c.id, c.number, c.deleted${long} FROM calendars c WHERE ${conditions.join(" AND ")}`;
}

/**
 * Returns the states that a read returns: for each index to walk, the condition that it was created with. Of a deleted
 * calendar only rows that are marked deleted: its other events are about to be.
 */
function states({ endpoint, frame }: PageRequest): string[] {
  const { live, declined, deleted } = occurrenceState;
  const undeleted = `o.state <> ${deleted}`;
  if (endpoint === "free_busy") return [`${undeleted} AND o.state <> ${declined}`];
  if (!frame.includeDeleted) return [undeleted];
  return [`${undeleted} AND NOT s.deleted`, `o.state <> ${live} AND o.state <> ${declined}`];
}

/** Returns the same states as columns of `calendar_days`. */
function sumOfStates({ endpoint, frame }: PageRequest): string {
  if (endpoint === "free_busy") return "d.live";
  return frame.includeDeleted
    ? "CASE WHEN s.deleted THEN d.deleted ELSE d.live + d.declined + d.deleted END"
    : "d.live + d.declined";
}

function microsecond(micros: number, p: Parameters): string {
  const seconds = Math.floor(micros / 1_000_000);
  const fraction = micros - seconds * 1_000_000;
  return `(SELECT ${p.instant((seconds * 1000) as Instant)} + ${p.put(fraction, "int")} * interval '1 microsecond')`;
}
