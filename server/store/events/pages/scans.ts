/** The part of the occurrences `o` that a read takes, as SQL. */
export interface OccurrenceSelection {
  /** The columns that a page carries, including `at`. */
  columns: string;
  /** Conditions for the states, which exclude one another. */
  states: string[];
  /** The time since which a row must have changed; null: all rows. */
  since: string | null;
}

const SAME_BRANCH = "o.calendar_id = s.id AND o.all_day = b.all_day AND o.managed = b.managed";
const IN_WINDOW = "o.starts < b.until AND (o.starts >= b.begins OR o.ends >= b.reaches)";

// Spans over 24 hours, by the length classes of the index occurrences_long: those of a class are shorter than `span`.
const LONG_CLASSES = `(VALUES (0, interval '96 hours'), (1, interval '384 hours'), (2, interval '1536 hours'),
(3, interval '6144 hours'), (4, interval '48000000 hours')) l(class, span)`;
const LONG_REACHING = `o.is_long AND width_bucket(o.ends - o.starts, '{96:00,384:00,1536:00,6144:00}'::interval[]) = l.class
AND o.starts < b.lookback AND o.ends >= b.reaches`;
const LONG_FROM = "b.reaches - l.span";
/** Most calendars `c` have no span over 24 hours: this is one look at the index instead of one for each class, branch and use. */
export const HAS_LONG = "EXISTS (SELECT FROM occurrences o WHERE o.calendar_id = c.id AND o.is_long)";

/**
 * Returns SQL for the rows of a page from the window index, in its order: at most a page of each branch and calendar.
 * Spans that began more than a day before the window come from an index of their own, if requested.
 */
export function windowRows(
  { columns, states, since }: OccurrenceSelection,
  { withLong }: { withLong: boolean },
): string {
  // Written so that the index on updated_at does not fit: deep in a read of many changes only the page's order is cheap.
  const kept = since
    ? ` AND (o.updated_at + interval '0' >= ${since} OR (o.state <> 2 AND (o.calendar_id, o.master_id) IN (SELECT calendar_id, id FROM said)))`
    : "";
  const inOrder = (after: string) => `AND (o.starts, o.uid) > ${after} ORDER BY o.starts, o.uid LIMIT b.size`;
  // A single lower bound: given two, PostgreSQL begins its walk along the index at the one written as a row.
  const longAfter = `(greatest(b.long_at, ${LONG_FROM}), CASE WHEN b.long_at >= ${LONG_FROM} THEN b.long_uid ELSE '' END)`;
  const main = states.map(
    (state) => `(SELECT ${columns} FROM occurrences o
WHERE ${SAME_BRANCH} AND ${state}${kept} AND ${IN_WINDOW} ${inOrder("(coalesce(b.main_at, walk_from(b.main_at)), b.main_uid)")})`,
  );
  const long = `(SELECT o.* FROM ${LONG_CLASSES} CROSS JOIN LATERAL (SELECT ${columns} FROM occurrences o
WHERE ${SAME_BRANCH} AND ${anyOf(states)}${kept} AND ${LONG_REACHING} ${inOrder(longAfter)}) o WHERE s.has_long)`;
  const scans = withLong ? [...main, long] : main;
  return `SELECT k.* FROM src s CROSS JOIN bound b CROSS JOIN LATERAL (${scans.join(" UNION ALL ")}) k`;
}

/** The known part of a window's count, as SQL. */
export interface KnownHead {
  /** Whether the page has everything that begins before the first whole day. */
  isWhole: string;
  /** The number of those rows. */
  rows: string;
}

export interface WindowCountInput {
  /** SQL that sums a day. */
  sum: string;
  /** The name of the rows with the bounds of the whole window. */
  bounds: string;
  /** The whole days and months of the window. */
  ranges: { days: string; months: string };
  /** Whether the statement has `countedDays` as `counted`. */
  isCounted: boolean;
  /** Whether the application's own events are counted; null: both. */
  own: string | null;
  withLong: boolean;
  head: KnownHead | null;
}

/**
 * Returns SQL for rows of days, with the ends of a range in both branches: the rows of all kinds of a day are stored
 * together, and are read together.
 */
export function dayRanges(rows: readonly string[]): string {
  return `(VALUES ${rows.join(", ")}) c(timed_from, timed_to, all_day_from, all_day_to)`;
}

/** Returns the condition that a row `d` lies within the range `c`, and is the application's `own`, or not; null: both. */
export function isWithinDays(day: string, own: string | null): string {
  return `${day} >= least(c.timed_from, c.all_day_from) AND ${day} < greatest(c.timed_to, c.all_day_to)
AND CASE WHEN d.all_day THEN ${day} >= c.all_day_from AND ${day} < c.all_day_to ELSE ${day} >= c.timed_from AND ${day} < c.timed_to END${own ? ` AND d.managed = ${own}` : ""}`;
}

/**
 * Counts a window: whole UTC months and days come from `calendar_months` and `calendar_days`, which a trigger
 * maintains; only the partial days at the window's ends, and what reaches into it from before, are counted. Uses one
 * join for each kind, because a subquery for each calendar and branch would start again for each. OFFSET 0 keeps
 * PostgreSQL from reading the rows of all calendars for a join.
 */
export function windowCount(
  { states }: OccurrenceSelection,
  { sum, bounds, ranges, isCounted, own, withLong, head }: WindowCountInput,
): string {
  const of = `FROM src s CROSS JOIN ${bounds} b`;
  const rows = (where: string) => `(SELECT FROM occurrences o WHERE ${SAME_BRANCH} AND ${where} OFFSET 0) r`;
  const cut = (lower: string, upper: string) =>
    states.map(
      (state) => `(SELECT count(*) ${of}
CROSS JOIN LATERAL ${rows(`${state} AND o.starts >= ${lower} AND o.starts < ${upper} AND ${IN_WINDOW}`)} WHERE ${lower} < ${upper})`,
    );
  const heads = cut("b.lookback", "b.head_until").join(" + ");
  const long = `(SELECT count(*) ${of} CROSS JOIN ${LONG_CLASSES}
CROSS JOIN LATERAL ${rows(`${anyOf(states)} AND ${LONG_REACHING} AND o.starts >= ${LONG_FROM}`)} WHERE s.has_long)`;
  const counted = (from: string) => `coalesce((SELECT sum(n) FROM ${from}), 0)`;
  return [
    head ? `CASE WHEN ${head.isWhole} THEN ${head.rows} ELSE ${heads} END` : heads,
    ...cut("b.tail_from", "b.until"),
    ...(withLong ? [long] : []),
    counted(isCounted ? "counted" : wholeOf("day", { sum, range: ranges.days, own })),
    counted(wholeOf("month", { sum, range: ranges.months, own })),
  ].join("\n+ ");
}

/** Returns SQL for the sums of the window's whole days, by day, as `counted`. */
export function countedDays({ sum, ranges, own }: Pick<WindowCountInput, "sum" | "ranges" | "own">): string {
  return `SELECT day, sum(n)::int AS n FROM ${wholeOf("day", { sum, range: ranges.days, own })} GROUP BY day`;
}

function wholeOf(
  unit: "day" | "month",
  { sum, range, own }: { sum: string; range: string; own: string | null },
): string {
  return `src s CROSS JOIN ${range}
CROSS JOIN LATERAL (SELECT d.${unit}, ${sum} AS n FROM calendar_${unit}s d WHERE d.calendar_id = s.id AND ${isWithinDays(`d.${unit}`, own)} OFFSET 0) r`;
}

/**
 * Returns SQL for the series in whose occurrences something changed that is in none of their rows, as `said`. Uses one
 * look for each calendar, like the one into `occurrences` below and that of a page into `events`: OFFSET 0 keeps
 * PostgreSQL from reading all calendars' rows for a join (ADR 59).
 */
export function saidSince(since: string): string {
  return `said AS MATERIALIZED (SELECT m.id, s.id AS calendar_id FROM src s CROSS JOIN LATERAL (
SELECT e.id FROM events e WHERE e.calendar_id = s.id AND e.content_changed_at >= ${since} OFFSET 0) m)`;
}

/** Returns SQL for the rows of a page, or their count, from what changed: reads every such row of a calendar, and nothing else. */
export function changedRows({ states, since }: OccurrenceSelection, selected: string): string {
  // OFFSET 0 keeps the conditions of the window out, so that only the index on updated_at fits.
  return `SELECT ${selected} FROM src s CROSS JOIN LATERAL (
(SELECT * FROM occurrences o WHERE o.calendar_id = s.id AND o.updated_at >= ${since} OFFSET 0) UNION ALL
SELECT o.* FROM said m CROSS JOIN LATERAL (SELECT * FROM occurrences o WHERE o.calendar_id = s.id AND o.master_id = m.id OFFSET 0) o
WHERE m.calendar_id = s.id AND o.state <> 2 AND o.updated_at + interval '0' < ${since}) o
JOIN bound b ON b.all_day = o.all_day AND b.managed = o.managed WHERE ${anyOf(states)} AND ${IN_WINDOW}
AND (o.starts, o.uid) > (b.long_at, b.long_uid)`;
}

function anyOf(conditions: string[]): string {
  return `(${conditions.map((condition) => `(${condition})`).join(" OR ")})`;
}
