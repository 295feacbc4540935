import type { Binding } from "@/server/db/composed";
import { bounds } from "@/server/db/pages/bounds";
import { branches } from "@/server/db/pages/branches";
import type { Frame, Position } from "@/server/db/pages/frame";
import { localStarts, startOf } from "@/server/db/pages/local-starts";
import { type Parameters, parameters } from "@/server/db/pages/parameters";
import { changedRows, saidSince, type Taken, windowCount, windowRows } from "@/server/db/pages/scans";
import { float8, int4s, nullable, textOf } from "@/server/db/statement";
import { occurrenceState } from "@/server/domain/free-busy";
import type { EventUid } from "@/server/domain/ids";
import type { Instant } from "@/server/domain/time/instant";
import type { Zone } from "@/server/domain/time/zone";

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
}

export interface PageShape {
  /** Columns of the occurrence `o` that the scans carry. */
  scanned: string;
  /** What the statement returns, from the chosen rows `k`, and what it joins to them. */
  selected: string;
  joined: string;
  /** How many bytes of text a row holds, as SQL that reads none of it; omitted where rows are always small. */
  bytes?: string;
}

/** What comes with every row of a page. */
export interface PageRow {
  uid: EventUid;
  /** Epoch seconds. */
  at: number;
  /** On a first page: how many rows the read has. */
  total?: number;
  /** On a first page, when calendars were named. */
  numbers?: number[] | null;
  /** How many rows the page would hold if their size did not matter; one more than the page size tells whether there is another. */
  found?: number;
}

/** How each column is read, except `found`. */
export function pageColumns({ position, calendarIds }: PageRequest) {
  return {
    uid: textOf<EventUid>(),
    at: float8,
    ...(position === null && { total: float8 }),
    ...(calendarIds !== null && { numbers: nullable(int4s) }),
  };
}

/**
 * Whether the statement of a page keeps its plan on a connection. Each text has a plan of its own there, so those that are rare do not: of
 * what was deleted, and later pages of what changed. Of the others there are 56, half a megabyte each, of which an
 * application uses two or three.
 */
export function isKeptPage({ frame, position }: PageRequest): boolean {
  return !frame.includeDeleted && (frame.modifiedSince === null || position === null);
}

/** A page ends after the row that reaches so many bytes: what one caller asks for must not fill the process's memory. */
export const PAGE_BYTES = 1_000_000;

/**
 * One page of a read as one statement: scans in the order of the page, merged, cut, and only then joined (ADR 0004). Its
 * column `at` (epoch seconds) comes with every row, on a first page `total` and, when calendars were named, `numbers` too. Where rows can be
 * large it ends with the row that reaches `PAGE_BYTES`, and `found` says how many there would have been.
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
  const total = isChanges ? changedRows(taken, "count(*)") : windowCount(taken, summed(request));
  const first = position ? "" : `, (${total})::float8 AS total`;
  const numbers = calendarIds ? ", (SELECT array_agg(number) FROM src) AS numbers" : "";
  const selected = `date_part('epoch', k.at) AS at, ${shape.selected}${first}${numbers}`;
  const said = taken.since === null ? "" : `\n${saidSince(taken.since)},`;
  return `WITH src AS MATERIALIZED (${source(request, p)}),
bound AS MATERIALIZED (${bounds(found, { managed: frame.managed, size }, p)}),${said}
k AS (${page} ORDER BY at, uid LIMIT (SELECT ${size}))
${shape.bytes ? cut(selected, shape, shape.bytes) : `SELECT ${selected} FROM k ${shape.joined} ORDER BY k.at, k.uid`}`;
}

function cut(selected: string, { joined }: PageShape, bytes: string): string {
  const before = `coalesce(sum(${bytes}) OVER (ORDER BY k.at, k.uid ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0)`;
  return `SELECT * FROM (SELECT ${selected}, ${before} AS before, (SELECT count(*)::int FROM k) AS found FROM k ${joined} ORDER BY k.at, k.uid) page
WHERE before < ${PAGE_BYTES}`;
}

function source({ accountId, frame, calendarIds }: PageRequest, p: Parameters): string {
  const conditions = [`c.account_id = ${p.hide(accountId, "text")}`];
  if (calendarIds) conditions.push(`c.id = ANY(${p.hide(calendarIds, "text[]")})`);
  else if (frame.calendars) conditions.push(`c.number = ANY(${p.hide(frame.calendars, "int[]")})`);
  return `SELECT c.id, c.number FROM calendars c WHERE ${conditions.join(" AND ")}`;
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
