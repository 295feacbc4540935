import { entryOf } from "./access";
import { linkOf, type Round, roundOf } from "./delta-tokens";
import { badRequest, type WireResponse } from "./errors";
import { windowOf } from "./event-lists";
import { bareView, type ViewOptions, viewOf, viewOptions } from "./event-view";
import { shownId } from "./ids";
import { type Item, itemsWithin } from "./occurrences";
import { appliedHeader, pageSize } from "./odata";
import { preferences, type WireRequest } from "./request";
import type { Account, CalendarRecord, StoredEvent, World } from "./state";

/** "There are other OData query parameters that the delta function for calendarView doesn't support", and "You cannot use $select". */
const unsupported = ["$select", "$expand", "$filter", "$orderby", "$search"];

/** Rows that stay together on a page: an event, or a series with its occurrences. The key orders them. */
interface Group {
  key: string;
  rows: object[];
}

/** One request of a round. */
interface Tracking {
  world: World;
  calendar: CalendarRecord;
  round: Round;
  options: ViewOptions;
}

/** calendarView/delta of a calendar. */
export function trackView(world: World, account: Account, request: WireRequest, calendarId: string): WireResponse {
  const { calendar } = entryOf(account, calendarId);
  const { query, url } = request;
  const refused = unsupported.find((name) => query.has(name));
  if (refused) {
    const text = `The following parameters are not supported with change tracking over the 'CalendarView' resource: '${refused}'.`;
    throw badRequest("ErrorInvalidUrlQuery", text);
  }
  const prefers = preferences(request);
  const given = roundOf(world, calendar, url.pathname, query) ?? firstRound(calendar, query);
  const round = { ...given, began: given.began ?? world.version() };
  const { rows, after } = page({ world, calendar, round, options: viewOptions(world.knobs, account, prefers) });
  const next: Round = { ...round, since: round.began, began: null, after: null };
  const link =
    after === undefined
      ? { "@odata.deltaLink": linkOf(world, url.pathname, "$deltatoken", next) }
      : { "@odata.nextLink": linkOf(world, url.pathname, "$skiptoken", { ...round, after }) };
  const context = `${world.origin}/v1.0/$metadata#Collection(event)`;
  return { status: 200, body: { "@odata.context": context, ...link, value: rows }, ...appliedHeader(prefers.applied) };
}

function firstRound(calendar: CalendarRecord, query: URLSearchParams): Round {
  const [from, to] = windowOf(query);
  return { calendarId: calendar.id, from, to, since: null, began: null, after: null };
}

/** One page, and the key where the next one goes on; undefined after the last. */
function page(tracking: Tracking) {
  const { world, round, options } = tracking;
  // "This is true even if the current response may contain an empty result."
  if (world.knobs.emptyPages && round.after === null) return { rows: [], after: "" };
  const size = pageSize(world, options.prefers.maxPageSize);
  const rows: object[] = [];
  let last: Group | undefined;
  for (const group of groupsAfter(round.after ?? "", tracking)) {
    if (rows.length >= size) return { rows, after: last?.key };
    rows.push(...group.rows);
    last = group;
  }
  return { rows, after: undefined };
}

const sortable = (value: number) => String(value).padStart(12, "0");
const keyOf = ({ serial }: Pick<StoredEvent, "serial">) => `e${sortable(serial)}`;

/** The groups of a round with a greater key, in the order of their keys: events first, then what was removed. */
function* groupsAfter(after: string, tracking: Tracking): Generator<Group> {
  const { calendar, options, round } = tracking;
  const { since } = round;
  const changed = [...calendar.events.values()].filter(({ tracked }) => since === null || tracked > since);
  for (const event of changed.sort((one, other) => one.serial - other.serial)) {
    if (keyOf(event) < after.slice(0, keyOf(event).length)) continue;
    yield* groupsOfEvent(event, tracking).filter(({ key }) => key > after);
  }
  const removed = since === null ? [] : calendar.tombstones.filter(({ version }) => version > since);
  for (const one of removed.sort((a, b) => a.version - b.version)) {
    const key = `r${sortable(one.version)}`;
    if (key > after) yield { key, rows: [removedRow(shownId(one, options.prefers.immutableIds))] };
  }
}

/** "Removed instances are represented by their id and an @removed object." */
const removedRow = (id: string) => ({ "@odata.type": "#microsoft.graph.event", id, "@removed": { reason: "deleted" } });
const typed = (row: object) => ({ "@odata.type": "#microsoft.graph.event", ...row });

function groupsOfEvent(event: StoredEvent, tracking: Tracking): Group[] {
  const rows = rowsOf(event, tracking);
  const isSplit = tracking.world.knobs.splitsSeries || isDoubled(event, tracking);
  const parts = isSplit ? rows.map((row) => [row]) : [rows];
  return parts
    .filter((part) => part.length > 0)
    .map((part, index) => ({ key: `${keyOf(event)}.${sortable(index)}`, rows: part }));
}

function rowsOf(event: StoredEvent, tracking: Tracking): object[] {
  const { world, round, options } = tracking;
  const items = itemsWithin(world.knobs, event, round.from, round.to);
  if (items.length === 0) {
    // "event: delta", Response: "Events that are outside the date range and that have been added, deleted, or updated" are @removed too.
    return round.since === null ? [] : [removedRow(shownId(event, options.prefers.immutableIds))];
  }
  const rowOf = (item: Item) => {
    const isBare = item.date !== undefined && !event.exceptions.has(item.date);
    return typed(isBare ? bareView(item, options) : viewOf(item, options));
  };
  if (isDoubled(event, tracking)) {
    const old = { ...event, content: event.previous ?? event.content };
    return [typed(viewOf({ event: old }, options)), ...items.map(rowOf)];
  }
  const hasMaster = event.recurrence !== null && world.knobs.tracksMasters;
  return [...(hasMaster ? [typed(viewOf({ event }, options))] : []), ...items.map(rowOf)];
}

/** "It's possible that a single entity will be contained multiple times in the response, if that entity was changed multiple times". */
function isDoubled(event: StoredEvent, { world, round }: Tracking): boolean {
  return world.knobs.duplicates && round.since !== null && event.previous !== undefined && event.recurrence === null;
}
