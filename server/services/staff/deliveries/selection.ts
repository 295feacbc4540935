import type { Binding } from "@/server/db/composed";
import { databaseTime } from "@/server/db/database-time";
import type { NarrowedFilters } from "@/server/services/staff/deliveries/narrow";
import { isLate, isRetrying } from "@/server/services/staff/deliveries/rows";
import type { PageCursor } from "@/server/services/staff/lists/paging";
import { applicationCondition, MOST_LOOKS } from "@/server/services/staff/procedure/scope";
import { type Days, isOfDaysWalked, timeText } from "@/server/store/deliveries/days";

export interface SelectionLimits {
  after?: PageCursor;
  most: number;
  /** The oldest first, instead of the newest. */
  isOldestFirst?: boolean;
  /** Omitted: all days. */
  days?: Days;
  /** Columns to return beside `id` and `created_at`. */
  columns?: readonly ("next_attempt_at" | "state" | "channel_id")[];
}

/**
 * Returns SQL for the `id` and `created_at` of matching deliveries, the newest or the oldest first. Each kind of filter walks one
 * index in the order of the page: rare ones have indexes that contain nothing else, so that none is found by reading
 * delivered ones.
 */
export function selectDeliveries(
  narrowed: NarrowedFilters,
  { after, most, days, isOldestFirst, columns: more = [] }: SelectionLimits,
  binding: Binding,
): string {
  const { put } = binding;
  const { channels, applications } = narrowed;
  const conditions = [
    ...plainConditions(narrowed, binding),
    ...(after ? [afterCursor(after, isOldestFirst, put)] : []),
    ...(days ? isOfDaysWalked("d", days, put) : []),
  ];
  const page = `${orderOf("d", isOldestFirst)} LIMIT ${put(most)}::int`;
  const columns = ["id", "created_at", ...more].map((column) => `d.${column}`).join(", ");
  const from = (where: string[]) => `SELECT ${columns} FROM deliveries d WHERE ${where.join(" AND ")} ${page}`;
  const rare = rareKinds(narrowed, put);
  if (rare.length > 0) {
    const aside = unindexedOwnerConditions(narrowed, put);
    const kinds = rare.map((kind) => `(${from([kind, ...aside, ...conditions])})`);
    return `SELECT ${columns} FROM (${kinds.join(" UNION ALL ")}) d ${page}`;
  }
  const several = channels ?? (applications && applications.length > 1 ? applications : null);
  if (several === null || several.length > MOST_LOOKS)
    return from([...ownerConditions(narrowed, put), ...conditions, "true"]);
  const each = from([`d.${channels ? "channel_id" : "application_id"} = o.id`, ...conditions]);
  return `SELECT ${columns} FROM unnest(${put(several)}::text[]) o(id) CROSS JOIN LATERAL (${each}) d ${page}`;
}

/** Returns SQL for columns of all matching deliveries, unordered. */
export function matchingDeliveries(narrowed: NarrowedFilters, columns: string, binding: Binding): string {
  const from = (where: string[]) => `SELECT ${columns} FROM deliveries d WHERE ${where.join(" AND ")}`;
  const conditions = plainConditions(narrowed, binding);
  const rare = rareKinds(narrowed, binding.put);
  if (rare.length === 0) return from([...ownerConditions(narrowed, binding.put), ...conditions, "true"]);
  const aside = unindexedOwnerConditions(narrowed, binding.put);
  return rare.map((kind) => from([kind, ...aside, ...conditions])).join(" UNION ALL ");
}

/** Returns SQL for the number of matching deliveries, counted up to `most`. */
export function countOf(narrowed: NarrowedFilters, most: number, binding: Binding): string {
  const rows = isRare(narrowed) ? selectDeliveries(narrowed, { most }, binding) : inAnyOrder(narrowed, most, binding);
  return `SELECT count(*)::int AS n FROM (${rows}) k`;
}

/** Returns unordered SQL, which an index that contains only the owner can serve. */
function inAnyOrder(narrowed: NarrowedFilters, most: number, binding: Binding): string {
  const where = [...ownerConditions(narrowed, binding.put), ...plainConditions(narrowed, binding), "true"];
  return `SELECT FROM deliveries d WHERE ${where.join(" AND ")} LIMIT ${binding.put(most)}::int`;
}

function isRare(narrowed: NarrowedFilters): boolean {
  return narrowed.delivery !== null || cannotHaveArrived(narrowed) || isOfRareType(narrowed);
}

/** Returns the conditions of the indexes that contain what these filters look for and little else. Empty: there are none. */
function rareKinds(narrowed: NarrowedFilters, put: Binding["put"]): string[] {
  if (narrowed.delivery !== null) {
    const { id, at } = narrowed.delivery;
    return [`d.id = ${put(id)} AND d.created_at = ${put(at)}::timestamptz`];
  }
  if (!cannotHaveArrived(narrowed)) return isOfRareType(narrowed) ? ["d.type <> 'change'"] : [];
  const { states, pending, late } = narrowed;
  const isWanted = (state: string) => states.length === 0 || states.includes(state);
  const kinds = [
    ...(!late && (isWanted("failed") || isWanted("cancelled")) ? ["d.state IN ('failed', 'cancelled')"] : []),
    ...(isWanted("pending") ? [`d.state = 'pending'${pending === "retrying" ? ` AND ${isRetrying}` : ""}`] : []),
  ];
  return kinds.length > 0 ? kinds : ["false"]; // delivered and with an error: impossible
}

/**
 * Reports whether the filters exclude delivered ones: late, another state, an error or a status other than 2xx. A
 * delivered one keeps the 2xx that accepted it.
 */
function cannotHaveArrived({ late, states, errorClasses, statusClasses }: NarrowedFilters): boolean {
  const leavesOut = (values: readonly string[], arrived: string) => values.length > 0 && !values.includes(arrived);
  return late || errorClasses.length > 0 || leavesOut(states, "delivered") || leavesOut(statusClasses, "2xx");
}

function isOfRareType({ types }: NarrowedFilters): boolean {
  return types.length > 0 && !types.includes("change");
}

function ownerConditions({ channels, applications }: NarrowedFilters, put: Binding["put"]): string[] {
  if (channels !== null) return [`d.channel_id = ANY (${put(channels)}::text[])`];
  return applicationCondition("d.application_id", applications, put);
}

/** Returns the owner's condition, written so that no index on it fits: the planner then chooses the index that the page walks. */
function unindexedOwnerConditions({ channels, applications }: NarrowedFilters, put: Binding["put"]): string[] {
  if (channels !== null) return [`d.channel_id || '' = ANY (${put(channels)}::text[])`];
  return applicationCondition("d.application_id || ''", applications, put);
}

function plainConditions(
  { states, pending, errorClasses, statusClasses, types, late, from, to }: NarrowedFilters,
  { put }: Binding,
): string[] {
  return [
    ...(late ? [isLate(`coalesce(${put(databaseTime())}::timestamptz, clock_timestamp())`)] : []),
    ...(states.length === 0 ? [] : [`d.state = ANY (${put(states)}::delivery_state[])`]),
    ...(pending === null
      ? []
      : [`(d.state <> 'pending' OR ${pending === "queued" ? "NOT " : ""}coalesce(${isRetrying}, false))`]),
    ...(errorClasses.length === 0 ? [] : [`d.last_error = ANY (${put(errorClasses)}::text[])`]),
    ...(statusClasses.length === 0 ? [] : [`(${statusClasses.map(statusIs).join(" OR ")})`]),
    ...(types.length === 0 ? [] : [`d.type = ANY (${put(types)}::text[])`]),
    ...(from === null ? [] : [`d.created_at >= ${put(timeText(from))}::timestamptz`]),
    ...(to === null ? [] : [`d.created_at < ${put(timeText(to))}::timestamptz`]),
  ];
}

function statusIs(name: string): string {
  if (name === "none") return "d.last_status IS NULL";
  const first = Number(name[0]) * 100;
  return `d.last_status BETWEEN ${first} AND ${first + 99}`;
}

/** Returns SQL for the order of a page. */
export function orderOf(delivery: string, isOldestFirst = false): string {
  const direction = isOldestFirst ? "" : " DESC";
  return `ORDER BY ${delivery}.created_at${direction}, ${delivery}.id${direction}`;
}

function afterCursor({ at, id }: PageCursor, isOldestFirst = false, put: Binding["put"]): string {
  return `(d.created_at, d.id) ${isOldestFirst ? ">" : "<"} (${put(at)}::timestamptz, ${put(id)}::text)`;
}
