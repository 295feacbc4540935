import { civil, type Day, dayFromCivil, formatDay } from "@/server/domain/time/day";
import type { Instant } from "@/server/domain/time/instant";
import { dayOf } from "@/server/domain/time/utc-day";
import type { Branch } from "@/server/store/events/pages/branches";
import type { Frame } from "@/server/store/events/pages/frame";
import type { Parameters } from "@/server/store/events/pages/parameters";
import { dayRanges, isWithinDays, type KnownHead } from "@/server/store/events/pages/scans";

const DAY_MS = 86_400_000;
const NAMES =
  `size, all_day, begins, reaches, until, lookback, main_at, main_uid, long_at, long_uid, head_until, tail_from`.split(
    /,\s/,
  );
/**
 * How many days of each calendar are searched for those that fill a page, and how many more when they do not: reading a
 * page of each calendar costs more than its days. Where days are looked up, the total of a first page counts at least
 * as many by day.
 */
const [FEW_DAYS, ...MORE_DAYS] = [8, 32, 128] as const;
/** Rows of calendar_days for each day: timed or all-day, of the application or of others. */
const KINDS = 4;
/** How long after the day that fills a page its last row can start. */
const DAYS_AFTER_FILLED = 2;

/**
 * Returns the branches of a read as rows of its statement. The planner does not know their values, and need not: for
 * every window the same walk along the window index is right, and one scan for all branches takes half the time to
 * plan.
 */
export function bounds(
  branches: Branch[],
  { managed, size }: { managed: Frame["managed"]; size: string },
  p: Parameters,
): string {
  const rows = branches.map((branch) => `(${[size, ...boundsOf(branch, p)].join(", ")})`);
  const whose = managed === "both" ? "(false), (true)" : `(${p.put(managed === "own", "boolean")})`;
  return `SELECT * FROM (VALUES ${rows.join(", ")}) v(${NAMES.join(", ")}) CROSS JOIN (VALUES ${whose}) m(managed)`;
}

function boundsOf(branch: Branch, p: Parameters): string[] {
  const { allDay, begins, reaches, until, lookback, after } = branch;
  const isWithin = after !== null && after.at >= lookback;
  const lookbackAt = p.instant(lookback);
  const afterAt = after ? p.instant(after.at) : "'-infinity'::timestamptz";
  const afterUid = after ? p.put(after.uid, "text") : "''";
  const [head, tail] = daysWithin(branch);
  const [mainAt, mainUid] = isWithin ? [afterAt, afterUid] : [lookbackAt, "''"];
  return [
    String(allDay),
    p.instant(begins),
    p.instant(reaches),
    p.instant(until),
    lookbackAt,
    mainAt,
    mainUid,
    afterAt,
    afterUid,
    p.instant(head),
    p.instant(tail),
  ];
}

/** Returns the first whole day: everything that starts on it or later follows the earlier pages. */
function firstWholeDay({ begins, after }: Branch): Instant {
  const first = Math.max(begins, after === null ? begins : after.at + DAY_MS);
  return (Math.ceil(first / DAY_MS) * DAY_MS) as Instant;
}

export interface CutBoundsInput {
  branches: [Branch, Branch];
  /** Returns SQL that sums a day. */
  sum: string;
  size: string;
  own: string | null;
  /** The days of the window's total, whose first are those that can fill the page; null where nothing is counted. */
  counted: string | null;
}

/**
 * Returns the bounds as `whole`, and as `bound` only until the days that surely fill the page, `cut`: of many calendars
 * each would otherwise be read for a page of its own. Adds up whole UTC days until they fill a page. Whatever precedes
 * the last of those rows starts less than two days after that day began, including all-day events in any zone, since a
 * local midnight is under a day from that of UTC. LIMIT keeps PostgreSQL from reading the days of all calendars for a
 * join. Passes everything as parameters: a subquery for each that reads `whole` costs more than the days, since
 * PostgreSQL also prepares those of the looks that it never takes.
 */
export function cutBounds(
  window: string,
  { branches, sum, size, own, counted }: CutBoundsInput,
  p: Parameters,
): string {
  const filledIn = (counts: string) =>
    `(SELECT min(day) FROM (SELECT day, sum(n) OVER (ORDER BY day) AS upto FROM ${counts}) d WHERE upto >= ${size})`;
  const lookedAt = (most: number) =>
    filledIn(`(SELECT d.day, sum(${sum})::int AS n FROM src s CROSS JOIN ${daysAfter(most, branches, p)}
  CROSS JOIN LATERAL (SELECT * FROM calendar_days d WHERE d.calendar_id = s.id AND ${isWithinDays("d.day", own)} ORDER BY d.day LIMIT ${KINDS * most}) d
  GROUP BY d.day) days`);
  const few = () => (counted ? filledIn(`counted WHERE day < ${firstCountedMonth(branches, p)}`) : lookedAt(FEW_DAYS));
  const filled = `(SELECT coalesce(${[few(), ...MORE_DAYS.map(lookedAt)].join(", ")}) OFFSET 0)`;
  return `whole AS MATERIALIZED (${window}),${counted ? `\ncounted AS MATERIALIZED (${counted}),` : ""}
cut AS MATERIALIZED (SELECT filled, (filled + ${DAYS_AFTER_FILLED})::timestamp AT TIME ZONE 'UTC' AS at FROM ${filled} f(filled)),
bound AS MATERIALIZED (SELECT ${[...NAMES, "managed"].map((name) => (name === "until" ? "least(until, (SELECT at FROM cut)) AS until" : name)).join(", ")} FROM whole),`;
}

/** Returns the month until which the days that the total counts are consecutive. */
function firstCountedMonth(branches: [Branch, Branch], p: Parameters): string {
  return p.put(formatDay(Math.min(...branches.map((branch) => wholeDays(branch, FEW_DAYS).firstMonth)) as Day), "date");
}

/** Returns the range of this many days whose occurrences all follow the previous page. */
function daysAfter(most: number, branches: [Branch, Branch], p: Parameters): string {
  const ends = branches.flatMap((branch) => {
    const first = dayOf(firstWholeDay(branch));
    return [first, Math.min(wholeDays(branch).lastDay, first + most) as Day];
  });
  return dayRanges([dates(ends, p)]);
}

/**
 * Builds the SQL that counts how many rows `k` of the page begin before the first whole day, and tells whether the page
 * reaches beyond it, so that they are all.
 */
export function headOf(branches: Branch[], p: Parameters): { aggregates: string[]; head: KnownHead } {
  const of = (at: (branch: Branch) => Instant) =>
    `CASE ${branches.map((branch) => `WHEN ${branch.allDay ? "" : "NOT "}k.all_day THEN ${p.instant(at(branch))}`).join(" ")} END`;
  const end = Math.max(...branches.map((branch) => daysWithin(branch)[0])) + DAY_MS;
  return {
    aggregates: [
      "max(k.at) AS last",
      `count(*) FILTER (WHERE k.starts >= ${of(({ lookback }) => lookback)} AND k.starts < ${of((branch) => daysWithin(branch)[0])})::int AS head`,
    ],
    head: { isWhole: `page.last >= ${p.instant(end as Instant)}`, rows: "page.head" },
  };
}

interface WholeDays {
  firstDay: Day;
  lastDay: Day;
  firstMonth: Day;
  lastMonth: Day;
}

/**
 * Returns where counts by UTC day begin and end, and those by month within them, after at least `leastDays` days.
 * Without a whole day in the window the head is all of it, and without a whole month its days.
 */
function wholeDays(branch: Branch, leastDays = 0): WholeDays {
  const [firstDay, lastDay] = daysWithin(branch).map(dayOf) as [Day, Day];
  const [firstMonth, lastMonth] = [monthFrom((firstDay + leastDays) as Day), monthOf(lastDay)];
  const months = firstMonth < lastMonth ? { firstMonth, lastMonth } : { firstMonth: lastDay, lastMonth: lastDay };
  return { firstDay, lastDay, ...months };
}

/**
 * Returns the whole days and months of a window as SQL, in ranges that `isWithinDays` reads. The first days can be
 * those that fill a page.
 */
export function wholeRanges(
  branches: [Branch, Branch],
  { fillPage }: { fillPage: boolean },
  p: Parameters,
): { days: string; months: string } {
  const ends = branches.map((branch) => wholeDays(branch, fillPage ? FEW_DAYS : 0));
  const range = (lower: keyof WholeDays, upper: keyof WholeDays) => {
    const days = ends.flatMap((whole) => [whole[lower], whole[upper]]);
    return dates(days, p);
  };
  return {
    days: dayRanges([range("firstDay", "firstMonth"), range("lastMonth", "lastDay")]),
    months: dayRanges([range("firstMonth", "lastMonth")]),
  };
}

function dates(days: readonly Day[], p: Parameters): string {
  return `(${days.map((day) => p.put(formatDay(day), "date")).join(", ")})`;
}

/** Returns the first day of a day's month. */
function monthOf(day: Day): Day {
  return (day - civil(day).dayOfMonth + 1) as Day;
}

/** Returns the first day of a month that is not before a day. */
function monthFrom(day: Day): Day {
  const { year, month, dayOfMonth } = civil(day);
  if (dayOfMonth === 1) return day;
  return month === 12 ? dayFromCivil(year + 1, 1, 1) : dayFromCivil(year, month + 1, 1);
}

/** Returns where the whole days of a branch begin and end; both are its end when it has none. */
function daysWithin({ begins, until }: Branch): [Instant, Instant] {
  const first = (Math.ceil(begins / DAY_MS) * DAY_MS) as Instant;
  const last = (Math.floor(until / DAY_MS) * DAY_MS) as Instant;
  return first < last ? [first, last] : [until, until];
}
