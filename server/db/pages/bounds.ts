import type { Branch } from "@/server/db/pages/branches";
import type { Frame } from "@/server/db/pages/frame";
import type { Parameters } from "@/server/db/pages/parameters";
import { civil, type Day, dayFromCivil, formatDay } from "@/server/domain/time/day";
import type { Instant } from "@/server/domain/time/instant";
import { dayOf } from "@/server/domain/time/utc-day";

const DAY_MS = 86_400_000;
const NAMES =
  `size, all_day, begins, reaches, until, lookback, main_at, main_uid, long_at, long_uid, head_until, first_day, last_day, tail_from,
first_month, last_month, after_day`.split(/,\s/);
/**
 * So many days are looked at in each calendar for those that fill a page, and the next more only where those do not: a page of each calendar
 * costs more than its days.
 */
const DAYS_LOOKED_AT = [8, 32, 128];

/**
 * The branches of a read as rows of its statement. The planner does not know their values, and need not: whatever the
 * window, the same walk along the window index is right, and one scan for all branches takes half the time to plan.
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
    ...wholeDays(branch, p),
    p.put(formatDay(dayOf(firstWholeDay(branch))), "date"),
  ];
}

/** All that starts on it or later comes after what earlier pages had. */
function firstWholeDay({ begins, after }: Branch): Instant {
  const first = Math.max(begins, after === null ? begins : after.at + DAY_MS);
  return (Math.ceil(first / DAY_MS) * DAY_MS) as Instant;
}

/**
 * The bounds as `whole`, and as `bound` only until the days that surely fill the page: of many calendars each would otherwise be read for a
 * page of its own. Whole UTC days are added up until they hold a page. What comes before the last of those rows starts less than two days after
 * that day began, all-day events in any zone included, since a local midnight is under a day from that of UTC. LIMIT keeps PostgreSQL from
 * reading the days of all calendars for a join.
 */
export function cutBounds(window: string, sum: string): string {
  const filledBy = (days: number) => `(SELECT min(day) FROM (SELECT day, sum(n) OVER (ORDER BY day) AS upto FROM (
  SELECT d.day, sum(${sum}) AS n FROM src s CROSS JOIN whole b CROSS JOIN LATERAL (SELECT * FROM calendar_days
    WHERE calendar_id = s.id AND all_day = b.all_day AND managed = b.managed AND day >= b.after_day AND day < least(b.last_day, b.after_day + ${days})
    ORDER BY day LIMIT ${days}) d
  GROUP BY d.day) days) d WHERE upto >= (SELECT min(size) FROM whole))`;
  return `whole AS MATERIALIZED (${window}),
cut AS MATERIALIZED (SELECT (coalesce(${DAYS_LOOKED_AT.map(filledBy).join(", ")}) + 2)::timestamp AT TIME ZONE 'UTC' AS at),
bound AS MATERIALIZED (SELECT ${[...NAMES, "managed"].map((name) => (name === "until" ? "least(until, (SELECT at FROM cut)) AS until" : name)).join(", ")} FROM whole),`;
}

/** Where counts by UTC day begin and end, and those by month within them. Without a whole day in the window the head is all of it, and without a whole month its days are. */
function wholeDays({ begins, until }: Branch, p: Parameters): string[] {
  const first = (Math.ceil(begins / DAY_MS) * DAY_MS) as Instant;
  const last = (Math.floor(until / DAY_MS) * DAY_MS) as Instant;
  const [head, tail] = first < last ? [first, last] : [until, until];
  const [firstDay, lastDay] = [dayOf(head), dayOf(tail)];
  const [firstMonth, lastMonth] = [monthFrom(firstDay), monthOf(lastDay)];
  const months = firstMonth < lastMonth ? [firstMonth, lastMonth] : [lastDay, lastDay];
  const date = (day: Day) => p.put(formatDay(day), "date");
  return [p.instant(head), date(firstDay), date(lastDay), p.instant(tail), ...months.map(date)];
}

/** The first day of the month of a day. */
function monthOf(day: Day): Day {
  return (day - civil(day).dayOfMonth + 1) as Day;
}

/** The first day of a month that is not before a day. */
function monthFrom(day: Day): Day {
  const { year, month, dayOfMonth } = civil(day);
  if (dayOfMonth === 1) return day;
  return month === 12 ? dayFromCivil(year + 1, 1, 1) : dayFromCivil(year, month + 1, 1);
}
