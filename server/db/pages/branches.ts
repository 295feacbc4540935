import type { Frame, Position } from "@/server/db/pages/frame";
import type { Parameters } from "@/server/db/pages/parameters";
import { occurrenceState } from "@/server/domain/free-busy";
import { type Day, utcMidnight } from "@/server/domain/time/day";
import { formatInstant, type Instant } from "@/server/domain/time/instant";
import { firstDayAfter, firstDayFrom, localDay, midnight, midnightOffsets, type Zone } from "@/server/domain/time/zone";

const DAY_MS = 86_400_000;
/** How far back the offsets of local midnights are exact; earlier ones only order spans that began before. */
const OFFSETS_BACK_DAYS = 400;

/**
 * One kind of occurrence within a window. Timed ones lie on the time line; all-day ones are kept as UTC midnights and
 * lie between local midnights of the request's zone (decisions.md, "Reads"), so that their bounds are dates.
 */
export interface Branch {
  allDay: boolean;
  /** In the window: starts before `to`, and starts at or after `from` or else ends at or after `endsFrom`. */
  from: Instant;
  endsFrom: Instant;
  to: Instant;
  /** Where the page begins: after (at, uid), or from `at` on when there is no uid. */
  after: { at: Instant; uid: string | null } | null;
  /** SQL for the instant of `o.starts`. */
  at: string;
}

/** The two branches of a read, with the instant of a row as SQL. */
export function branches(frame: Frame, zone: Zone, position: Position | null, p: Parameters): Branch[] {
  const after = position && { at: position.at, uid: position.uid };
  const timed: Branch = {
    allDay: false,
    from: frame.from,
    endsFrom: (frame.from + 1) as Instant,
    to: frame.to,
    after,
    at: "o.starts",
  };
  return [timed, allDayBranch(frame, zone, position, p)];
}

function allDayBranch(frame: Frame, zone: Zone, position: Position | null, p: Parameters): Branch {
  return {
    allDay: true,
    from: utcMidnight(firstDayFrom(zone, frame.from)),
    endsFrom: utcMidnight(firstDayAfter(zone, frame.from)),
    to: utcMidnight(firstDayFrom(zone, frame.to)),
    after: position && afterDay(zone, position),
    at: localMidnight(frame, zone, p),
  };
}

function afterDay(zone: Zone, { at, uid }: Position): { at: Instant; uid: string | null } {
  const day = firstDayFrom(zone, at);
  return { at: utcMidnight(day), uid: midnight(zone, day) === at ? uid : null };
}

function localMidnight(frame: Frame, zone: Zone, p: Parameters): string {
  const first = (localDay(zone, frame.from) - OFFSETS_BACK_DAYS) as Day;
  const last = (localDay(zone, frame.to) + 1) as Day;
  const [head, ...rest] = midnightOffsets(zone, first, last);
  const shift = (seconds: number) => `${p.put(seconds, "int")} * interval '1 second'`;
  if (!head) throw new Error("a zone has an offset on every day");
  if (rest.length === 0) return head.offset === 0 ? "o.starts" : `o.starts - ${shift(head.offset)}`;
  const steps = rest
    .reverse()
    .map(({ day, offset }) => `WHEN o.starts >= ${instant(p, utcMidnight(day))} THEN ${shift(offset)}`);
  return `o.starts - CASE ${steps.join(" ")} ELSE ${shift(head.offset)} END`;
}

/** Conditions on `o` that pick a branch's rows from the window index: short spans from a day before the window on. */
export function mainScan(branch: Branch, p: Parameters): string {
  const lookback = (branch.from - DAY_MS) as Instant;
  const from = instant(p, branch.from);
  const conditions = [
    `o.all_day = ${branch.allDay}`,
    `o.starts < ${instant(p, branch.to)}`,
    `(o.starts >= ${from} OR o.ends >= ${instant(p, branch.endsFrom)})`,
  ];
  if (!branch.after || branch.after.at < lookback) conditions.push(`o.starts >= ${instant(p, lookback)}`);
  if (branch.after) conditions.push(beyond(branch.after, p));
  return conditions.join(" AND ");
}

/** Conditions on `o` for spans over 24 hours that began more than a day before the window; null when the page is past them. */
export function longScan(branch: Branch, p: Parameters): string | null {
  const lookback = (branch.from - DAY_MS) as Instant;
  if (branch.after && branch.after.at >= lookback) return null;
  const conditions = [
    `o.all_day = ${branch.allDay}`,
    "o.is_long",
    `o.starts < ${instant(p, lookback)}`,
    `o.ends >= ${instant(p, branch.endsFrom)}`,
  ];
  if (branch.after) conditions.push(beyond(branch.after, p));
  return conditions.join(" AND ");
}

function beyond({ at, uid }: { at: Instant; uid: string | null }, p: Parameters): string {
  return uid === null ? `o.starts >= ${instant(p, at)}` : `(o.starts, o.uid) > (${instant(p, at)}, ${p.put(uid)})`;
}

/** Which states a read returns. */
export function states({
  endpoint,
  includeDeleted,
}: {
  endpoint: "events" | "free_busy";
  includeDeleted: boolean;
}): string {
  const { live, declined, deleted } = occurrenceState;
  if (endpoint === "free_busy") return `o.state = ${live}`;
  return includeDeleted ? `o.state <= ${deleted}` : `o.state <= ${declined}`;
}

export function instant(p: Parameters, at: Instant): string {
  return p.put(formatMillis(at), "timestamptz");
}

function formatMillis(at: Instant): string {
  const millis = ((at % 1000) + 1000) % 1000;
  return millis === 0 ? formatInstant(at) : formatInstant(at).replace("Z", `.${String(millis).padStart(3, "0")}Z`);
}
