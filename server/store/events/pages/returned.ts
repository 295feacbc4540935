import { recordsAsBytes } from "@/server/store/events/pages/records";
import { field, rowsAsText } from "@/server/store/events/pages/text";

/** The returned columns of the chosen rows `k`. */
export interface ReturnedColumns {
  /** SQL of texts without tabs and line breaks, none of them null. */
  fields: string[];
  /** The parts of the records (records.ts). */
  record: string[];
  /** Whether rows refer to calendars by their numbers. */
  hasNumbers?: true;
  /** Returns the events of the rows, each once; omitted where rows are complete. */
  events?: PageEvents;
  /** Whether everything is assumed to fit on the page. */
  fits: boolean;
  /** Aggregates of all rows `k`, which other columns may refer to as columns of `page`. */
  aggregates: string[];
}

interface PageEvents {
  /** The columns of the events `e` to read. */
  columns: string;
  /** The returned fields of those columns, as of `ev`, like the fields of a row. */
  fields: string[];
  /** SQL for how many bytes of text an event `ev` holds, and a row `k` in addition. */
  bytes: string;
  rowBytes: string;
}

/**
 * The events of a page are split into this many texts, by the last digit of their ids: V8 and PostgreSQL take new
 * memory from the system for each text of over 128 KB, which costs up to 20 times as much as the text.
 */
export const eventColumns = ["events_0", "events_1", "events_2", "events_3"] as const;
export type EventTexts = Record<(typeof eventColumns)[number], string | null>;

/** A page ends after the row that reaches this many bytes: one caller's request must not fill the process's memory. */
export const PAGE_BYTES = 1_000_000;

/**
 * Returns the end of a page's statement: `rows`, which are in order, their events, and other columns, as one row. The
 * columns may refer to `page.found` and the aggregates. Unless the rows are assumed to fit, only as many are returned
 * as do.
 */
export function endOfStatement(rows: string, shape: ReturnedColumns, columns: string): string {
  const calendars = shape.hasNumbers ? `, (SELECT ${rowsAsText([field("number"), "id"])} FROM src) AS calendars` : "";
  const all = rowsAndRecords(shape);
  const counted = ["count(*)::int AS found", ...shape.aggregates].join(", ");
  if (!shape.events) {
    return `page AS MATERIALIZED (SELECT ${all}, ${counted} FROM (${rows}) k)
SELECT page.rows, page.records, page.found${calendars}${columns} FROM page`;
  }
  const parts = { rows, all, counted, events: shape.events, columns };
  return shape.fits ? wholeEnd(parts) : fittingEnd(parts);
}

const rowsAndRecords = ({ fields, record }: ReturnedColumns) =>
  `${rowsAsText(fields)} AS rows, ${recordsAsBytes(record)} AS records`;

interface Parts {
  rows: string;
  /** The returned part of all rows. */
  all: string;
  /** The counted part, whether the rows fit or not. */
  counted: string;
  events: PageEvents;
  columns: string;
}

/** Returns SQL for each event of the rows once, as `ev`. */
const eventsOfRows = ({
  columns,
}: PageEvents) => `(SELECT DISTINCT k.calendar_id, k.master_id FROM k) m CROSS JOIN LATERAL (
SELECT e.id, ascii(right(e.id, 1)) % ${eventColumns.length} AS part, ${columns} FROM events e WHERE e.calendar_id = m.calendar_id AND e.id = m.master_id OFFSET 0) ev`;

const eventTexts = ({ fields }: PageEvents) =>
  eventColumns.map((name, part) => `${rowsAsText(["ev.id", ...fields], `ev.part = ${part}`)} AS ${name}`).join(", ");

/**
 * Reads the rows in one pass. The texts of rows and events are longer than the counted columns, and too large to be
 * copied through a CTE.
 */
function wholeEnd({ rows, all, counted, events, columns }: Parts): string {
  const texts = ["page.rows", ...eventColumns.map((name) => `texts.${name}`)];
  const fits = `${texts.map((text) => `coalesce(octet_length(${text}), 0)`).join(" + ")} < ${PAGE_BYTES}`;
  const shown = eventColumns.map((name) => `CASE WHEN fits THEN texts.${name} END AS ${name}`).join(", ");
  return `k AS MATERIALIZED (${rows}),
page AS MATERIALIZED (SELECT ${all}, ${counted} FROM k)
SELECT CASE WHEN fits THEN page.rows END AS rows, page.records, ${shown}, page.found, fits${columns}
FROM page CROSS JOIN (SELECT ${eventTexts(events)} FROM ${eventsOfRows(events)}) texts CROSS JOIN LATERAL (SELECT ${fits} AS fits) f`;
}

function fittingEnd({ rows, all, counted, events, columns }: Parts): string {
  const shown = "(SELECT * FROM k LIMIT (SELECT rows FROM fit))";
  return `k AS MATERIALIZED (${rows}),
page AS MATERIALIZED (SELECT ${counted}, coalesce(sum(${events.rowBytes}), 0) AS bytes FROM k),
ev AS MATERIALIZED (SELECT ev.* FROM ${eventsOfRows(events)}),
fit AS MATERIALIZED (${rowsThatFit(events)}),
shown AS MATERIALIZED (SELECT ${all} FROM ${shown} k)
SELECT (SELECT rows FROM shown) AS rows, (SELECT records FROM shown) AS records,
texts.*, page.found${columns}
FROM page CROSS JOIN (SELECT ${eventTexts(events)} FROM ev
WHERE (SELECT rows FROM fit) IS NULL OR ev.id IN (SELECT f.master_id FROM ${shown} f)) texts`;
}

/** Returns SQL for how many rows fit: null for all, which is determined without looking at each. */
function rowsThatFit({ bytes, rowBytes }: PageEvents): string {
  const before = `coalesce(sum(${bytes} + ${rowBytes}) OVER (ORDER BY k.at, k.uid ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0)`;
  return `SELECT CASE WHEN (SELECT coalesce(sum(${bytes}), 0) FROM ev) + (SELECT bytes FROM page) >= ${PAGE_BYTES}
THEN (SELECT count(*) FROM (SELECT ${before} AS before FROM k JOIN ev ON ev.id = k.master_id) b WHERE b.before < ${PAGE_BYTES}) END AS rows`;
}
