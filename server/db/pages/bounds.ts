import type { Branch } from "@/server/db/pages/branches";
import type { Frame } from "@/server/db/pages/frame";
import type { Parameters } from "@/server/db/pages/parameters";
import { formatDay } from "@/server/domain/time/day";
import type { Instant } from "@/server/domain/time/instant";
import { dayOf } from "@/server/domain/time/utc-day";

const DAY_MS = 86_400_000;
const NAMES =
  "size, all_day, begins, reaches, until, lookback, main_at, main_uid, long_at, long_uid, head_until, first_day, last_day, tail_from";

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
  return `SELECT * FROM (VALUES ${rows.join(", ")}) v(${NAMES}) CROSS JOIN (VALUES ${whose}) m(managed)`;
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
  ];
}

/** Where counts by UTC day begin and end; without a whole day in the window the head is all of it. */
function wholeDays({ begins, until }: Branch, p: Parameters): string[] {
  const first = (Math.ceil(begins / DAY_MS) * DAY_MS) as Instant;
  const last = (Math.floor(until / DAY_MS) * DAY_MS) as Instant;
  const [head, tail] = first < last ? [first, last] : [until, until];
  return [
    p.instant(head),
    p.put(formatDay(dayOf(head)), "date"),
    p.put(formatDay(dayOf(tail)), "date"),
    p.instant(tail),
  ];
}
