import type { Binding } from "@/server/db/composed";
import { bounds, cutBounds } from "@/server/db/pages/bounds";
import { branches, isPastLookback } from "@/server/db/pages/branches";
import type { Frame, Position } from "@/server/db/pages/frame";
import { localStarts, startOf } from "@/server/db/pages/local-starts";
import { type Parameters, parameters } from "@/server/db/pages/parameters";
import { recordsAsBytes } from "@/server/db/pages/records";
import { changedRows, HAS_LONG, saidSince, type Taken, windowCount, windowRows } from "@/server/db/pages/scans";
import { rowsAsText } from "@/server/db/pages/text";
import { bytes, float8, int4, int4s, nullable, text } from "@/server/db/statement";
import { occurrenceState } from "@/server/domain/free-busy";
import type { Instant } from "@/server/domain/time/instant";
import type { Zone } from "@/server/domain/time/zone";

/** From so many calendars on, of which each would be read for a whole page, the days that fill the page are looked up first. */
const MANY_CALENDARS = 4;
/** A read of more changed pages than this goes through the window in order; one of fewer through what changed. */
const FEW_CHANGED_PAGES = 32;

export interface PageRequest {
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

export interface PageShape {
  /** Columns of the occurrence `o` that the scans carry. */
  scanned: string;
  /** What of the chosen rows `k` is returned: SQL of texts without tabs and line breaks, none of them null. */
  fields(request: PageRequest): string[];
  /** What else of `k` is returned: parts of records (records.ts). */
  record: string[];
  /** Returns the events of the rows, each once; omitted where rows say all. */
  events?: PageEvents;
}

export interface PageEvents {
  /** What of the events `e` is read. */
  columns: string;
  /** What of those columns, as of `ev`, is returned, like `fields`. */
  fields: string[];
  /** How many bytes of text an event holds, of `ev`, and a row beside that, of `k`. */
  bytes: string;
  rowBytes: string;
}

/** A page as the statement returns it: in one row, because hundreds cost more than what they hold (ADR 37). */
export interface PageResult {
  /** Null when there are none. */
  rows: string | null;
  /** The records of the rows, one after another. */
  records: Buffer | null;
  events?: string | null;
  /** How many rows the page would hold if their size did not matter. */
  found: number;
  /** On a first page: how many rows the read has. */
  total?: number;
  /** On a first page, when calendars were named. */
  numbers?: number[] | null;
}

/** How each column is read. */
export function pageColumns({ position, calendarIds }: PageRequest) {
  return {
    rows: nullable(text),
    records: nullable(bytes),
    found: int4,
    ...(position === null && { total: float8 }),
    ...(calendarIds !== null && { numbers: nullable(int4s) }),
  };
}

/**
 * Whether the statement of a page keeps its plan on a connection. Each text has a plan of its own there, so those that are rare do not: of
 * what was deleted, and later pages of what changed. Of the others there are 112, half a megabyte each, of which an
 * application uses two or three.
 */
export function isKeptPage({ frame, position }: PageRequest): boolean {
  return !frame.includeDeleted && (frame.modifiedSince === null || position === null);
}

/** A page ends after the row that reaches so many bytes: what one caller asks for must not fill the process's memory. */
export const PAGE_BYTES = 1_000_000;

/**
 * One page of a read as one statement: scans in the order of the page, merged, cut, and only then joined (ADR 0004). A first page has `total`
 * and, when calendars were named, `numbers` too. Where rows can be large it ends with the row that reaches `PAGE_BYTES` at the latest.
 */
export function pageStatement(request: PageRequest, shape: PageShape, binding: Binding): string {
  const { frame, zone, position, calendarIds } = request;
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
  const page = isChanges ? changedRows(taken, taken.columns) : windowRows(taken, found);
  const total = isChanges
    ? changedRows(taken, "count(*)")
    : windowCount(taken, { sum: summed(request), bounds: isCut(request) ? "whole" : "bound" });
  // A page that is not full has all there is to count.
  const first = position
    ? ""
    : `, CASE WHEN page.found < (SELECT ${size}) THEN page.found ELSE (${total}) END::float8 AS total`;
  const numbers = calendarIds ? ", (SELECT array_agg(number) FROM src) AS numbers" : "";
  const said = taken.since === null ? "" : `\n${saidSince(taken.since)},`;
  const asksForLong = !isChanges && !found.every(isPastLookback);
  const window = bounds(found, { managed: frame.managed, size }, p);
  return `WITH src AS MATERIALIZED (${source(request, p, asksForLong)}),
${isCut(request) ? cutBounds(window, summed(request)) : `bound AS MATERIALIZED (${window}),`}${said}
${returned(`${page} ORDER BY at, uid LIMIT (SELECT ${size})`, shape.fields(request), shape)}${first}${numbers} FROM page`;
}

/** The counts by day are those of all occurrences, not of what changed. */
function isCut({ calendarCount, frame }: PageRequest): boolean {
  return calendarCount >= MANY_CALENDARS && frame.modifiedSince === null;
}

/** The rows of a page and their events, as many as fit. Without events one pass over the rows gives all. */
function returned(rows: string, fields: string[], { record, events }: PageShape): string {
  const all = `${rowsAsText(fields)} AS rows, ${recordsAsBytes(record)} AS records`;
  if (!events) {
    return `page AS MATERIALIZED (SELECT ${all}, count(*)::int AS found FROM (${rows}) k)
SELECT page.rows, page.records, page.found`;
  }
  return `k AS MATERIALIZED (${rows}),
page AS MATERIALIZED (SELECT count(*)::int AS found, coalesce(sum(${events.rowBytes}), 0) AS bytes FROM k),
ev AS MATERIALIZED (SELECT e.* FROM (SELECT DISTINCT k.calendar_id, k.master_id FROM k) m CROSS JOIN LATERAL (
SELECT e.id, ${events.columns} FROM events e WHERE e.calendar_id = m.calendar_id AND e.id = m.master_id OFFSET 0) e),
fit AS MATERIALIZED (${fitting(events)}),
shown AS MATERIALIZED (SELECT ${all} FROM (SELECT * FROM k LIMIT (SELECT rows FROM fit)) k)
SELECT (SELECT rows FROM shown) AS rows, (SELECT records FROM shown) AS records,
(SELECT ${rowsAsText(["ev.id", ...events.fields])} FROM ev
WHERE (SELECT rows FROM fit) IS NULL OR ev.id IN (SELECT f.master_id FROM (SELECT * FROM k LIMIT (SELECT rows FROM fit)) f)) AS events, page.found`;
}

/** How many rows fit: null for all, which is found without looking at each. */
function fitting({ bytes, rowBytes }: PageEvents): string {
  const before = `coalesce(sum(${bytes} + ${rowBytes}) OVER (ORDER BY k.at, k.uid ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0)`;
  return `SELECT CASE WHEN (SELECT coalesce(sum(${bytes}), 0) FROM ev) + (SELECT bytes FROM page) >= ${PAGE_BYTES}
THEN (SELECT count(*) FROM (SELECT ${before} AS before FROM k JOIN ev ON ev.id = k.master_id) b WHERE b.before < ${PAGE_BYTES}) END AS rows`;
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
