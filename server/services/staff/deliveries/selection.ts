import type { Binding } from "@/server/db/composed";
import { databaseTime } from "@/server/db/database-time";
import { type Days, isOfDaysWalked, timeText } from "@/server/db/delivery-days";
import type { Narrowed } from "@/server/services/staff/deliveries/narrow";
import { isLate, isRetrying } from "@/server/services/staff/deliveries/rows";
import type { PageCursor } from "@/server/services/staff/lists/paging";
import { MOST_LOOKS, within } from "@/server/services/staff/procedure/scope";

export interface Part {
  after?: PageCursor;
  most: number;
  /** Omitted: of all. */
  days?: Days;
  /** Also when their next attempt is due, as `next_attempt_at`. */
  due?: boolean;
}

/**
 * SQL for the `id` and `created_at` of deliveries that match, the newest first. Each kind of filter walks one index in the order of
 * the page: what is rare has indexes that hold nothing else, so that none is found by reading what arrived.
 */
export function selected(narrowed: Narrowed, { after, most, days, due }: Part, binding: Binding): string {
  const { put } = binding;
  const { channels, applications } = narrowed;
  const conditions = [
    ...plain(narrowed, binding),
    ...(after ? [before(after, put)] : []),
    ...(days ? isOfDaysWalked("d", days, put) : []),
  ];
  const page = `ORDER BY d.created_at DESC, d.id DESC LIMIT ${put(most)}::int`;
  const columns = due ? "d.id, d.created_at, d.next_attempt_at" : "d.id, d.created_at";
  const from = (where: string[]) => `SELECT ${columns} FROM deliveries d WHERE ${where.join(" AND ")} ${page}`;
  const rare = rareKinds(narrowed, put);
  if (rare.length > 0) {
    const aside = ownersAside(narrowed, put);
    const kinds = rare.map((kind) => `(${from([kind, ...aside, ...conditions])})`);
    return `SELECT ${columns} FROM (${kinds.join(" UNION ALL ")}) d ${page}`;
  }
  const several = channels ?? (applications && applications.length > 1 ? applications : null);
  if (several === null || several.length > MOST_LOOKS) return from([...owners(narrowed, put), ...conditions, "true"]);
  const each = from([`d.${channels ? "channel_id" : "application_id"} = o.id`, ...conditions]);
  return `SELECT ${columns} FROM unnest(${put(several)}::text[]) o(id) CROSS JOIN LATERAL (${each}) d ${page}`;
}

/** SQL for columns of all that match, in no order. */
export function matching(narrowed: Narrowed, columns: string, binding: Binding): string {
  const from = (where: string[]) => `SELECT ${columns} FROM deliveries d WHERE ${where.join(" AND ")}`;
  const conditions = plain(narrowed, binding);
  const rare = rareKinds(narrowed, binding.put);
  if (rare.length === 0) return from([...owners(narrowed, binding.put), ...conditions, "true"]);
  const aside = ownersAside(narrowed, binding.put);
  return rare.map((kind) => from([kind, ...aside, ...conditions])).join(" UNION ALL ");
}

/** SQL for how many match, counted no further than `most`. */
export function countOf(narrowed: Narrowed, most: number, binding: Binding): string {
  const found = isRare(narrowed) ? selected(narrowed, { most }, binding) : inAnyOrder(narrowed, most, binding);
  return `SELECT count(*)::int AS n FROM (${found}) k`;
}

/** Without an order an index can answer that has nothing but the owner. */
function inAnyOrder(narrowed: Narrowed, most: number, binding: Binding): string {
  const where = [...owners(narrowed, binding.put), ...plain(narrowed, binding), "true"];
  return `SELECT FROM deliveries d WHERE ${where.join(" AND ")} LIMIT ${binding.put(most)}::int`;
}

function isRare(narrowed: Narrowed): boolean {
  return narrowed.delivery !== null || cannotHaveArrived(narrowed) || isOfRareType(narrowed);
}

/** The conditions of the indexes that hold what these filters look for and little else; none: there are no such indexes. */
function rareKinds(narrowed: Narrowed, put: Binding["put"]): string[] {
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
  return kinds.length > 0 ? kinds : ["false"]; // what arrived, with an error
}

/** Late, a state other than delivered, an error or a status other than 2xx: one that was delivered keeps what accepted it. */
function cannotHaveArrived({ late, states, errorClasses, statusClasses }: Narrowed): boolean {
  const leavesOut = (values: readonly string[], arrived: string) => values.length > 0 && !values.includes(arrived);
  return late || errorClasses.length > 0 || leavesOut(states, "delivered") || leavesOut(statusClasses, "2xx");
}

function isOfRareType({ types }: Narrowed): boolean {
  return types.length > 0 && !types.includes("change");
}

function owners({ channels, applications }: Narrowed, put: Binding["put"]): string[] {
  if (channels !== null) return [`d.channel_id = ANY (${put(channels)}::text[])`];
  return within("d.application_id", applications, put);
}

/** Whose they are, written so that no index on it fits: the one that the page walks is the one that is chosen. */
function ownersAside({ channels, applications }: Narrowed, put: Binding["put"]): string[] {
  if (channels !== null) return [`d.channel_id || '' = ANY (${put(channels)}::text[])`];
  return within("d.application_id || ''", applications, put);
}

function plain(
  { states, pending, errorClasses, statusClasses, types, late, from, to }: Narrowed,
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

function before({ at, id }: PageCursor, put: Binding["put"]): string {
  return `(d.created_at, d.id) < (${put(at)}::timestamptz, ${put(id)}::text)`;
}
