import { calendarsOf, entryOf, itemOf } from "./access";
import { badRequest, type WireResponse } from "./errors";
import { eventProperties } from "./event-fields";
import { type EventResource, viewOf, viewOptions } from "./event-view";
import { meets } from "./filter";
import { shownId } from "./ids";
import { readOnce, writeBlob } from "./meetings";
import { contentOf, type Item, itemsWithin, occurrencesWithin } from "./occurrences";
import { appliedHeader, collection, selected, selection } from "./odata";
import { expandedIds } from "./properties";
import { parameter, preferences, type WireRequest } from "./request";
import type { Account, World } from "./state";
import { touch } from "./store";
import { epochOf, instantOf } from "./times";

/** [K]: how long a calendar view may be. */
const LONGEST_VIEW = 1825 * 86_400_000;
const TYPE = "Microsoft.OutlookServices.Event";

/** GET of an event or an occurrence. */
export function getEvent(world: World, account: Account, request: WireRequest, item: Item): WireResponse {
  const { query } = request;
  const { event, date } = item;
  if (readOnce(event)) {
    writeBlob(event);
    touch(world, event);
  }
  const prefers = preferences(request);
  const options = viewOptions(world.knobs, account, prefers, expansion(query));
  const names = selection(query, eventProperties, TYPE);
  const isMaster = date === undefined && event.recurrence !== null;
  // "Returned only on $select in a Get operation which specifies the ID … of a series master event."
  const cancelled = isMaster &&
    names?.includes("cancelledOccurrences") && {
      // The form is of the beta reference's sample: OID.{id of the series}.{date}.
      cancelledOccurrences: [...event.cancelled]
        .sort()
        .map((one) => `OID.${shownId(event, prefers.immutableIds)}.${one}`),
    };
  // "Returned only on $select and $expand in a GET operation".
  const isExpanded = isMaster && /exceptionOccurrences/i.test(query.get("$expand") ?? "");
  const exceptions = [...event.exceptions.keys()].sort().map((one) => viewOf({ event, date: one }, options));
  const view = { ...viewOf(item, options), ...cancelled };
  const shown = selected(view, names, ["singleValueExtendedProperties", "exceptionOccurrences"]);
  const inner = names?.filter((name) => !/Occurrences$/.test(name));
  const body = {
    "@odata.context": `${world.origin}/v1.0/$metadata#users('${account.oid}')/events/$entity`,
    ...shown,
    ...(isExpanded && { exceptionOccurrences: exceptions.map((one) => selected(one, inner)) }),
  };
  return { status: 200, body, ...appliedHeader(prefers.applied) };
}

/** 400 for what cannot be expanded; the extended properties that are. */
function expansion(query: URLSearchParams): string[] | undefined {
  const expand = query.get("$expand");
  const left = (expand ?? "").replace(
    /singleValueExtendedProperties(\((?:[^()']|'[^']*')*\))?|exceptionOccurrences/gi,
    "",
  );
  if (/\w/.test(left)) throw badRequest("BadRequest", `Parsing OData Select and Expand failed: '${left}'.`);
  return expandedIds(expand);
}

/** "List events": "The list contains single instance meetings and series masters." Without a calendar: of the whole mailbox. */
export function listEvents(world: World, account: Account, request: WireRequest, calendarId?: string): WireResponse {
  const items = calendarsOf(account, calendarId).flatMap(({ events }) =>
    [...events.values()].map((event): Item => ({ event })),
  );
  return listed(world, account, request, items);
}

/** "List calendarView": "the occurrences, exceptions, and single instances of events in a calendar view defined by a time range". */
export function listView(world: World, account: Account, request: WireRequest, calendarId: string): WireResponse {
  const { calendar } = entryOf(account, calendarId);
  const [from, to] = windowOf(request.query);
  const items = [...calendar.events.values()].flatMap((event) => itemsWithin(world.knobs, event, from, to));
  return listed(world, account, request, byStart(items));
}

/** "List instances": the occurrences and exceptions of a series in a time range; none of a single event [K]. */
export function listInstances(world: World, account: Account, request: WireRequest, id: string, calendarId?: string) {
  const [from, to] = windowOf(request.query);
  const { event } = itemOf(world, account, id, calendarId);
  return listed(world, account, request, byStart(occurrencesWithin(world.knobs, event, from, to)));
}

const startOf = (item: Item) => epochOf(contentOf(item).start);
const byStart = (items: Item[]) => items.sort((one, other) => startOf(one) - startOf(other));

/** The span of startDateTime and endDateTime; 400 without them. */
export function windowOf(query: URLSearchParams): [number, number] {
  const [from, to] = ["startDateTime", "endDateTime"].map((name) => instantOf(parameter(query, name) ?? ""));
  if (from === undefined || to === undefined || Number.isNaN(from) || Number.isNaN(to)) {
    const text =
      "This request requires a time window specified by the query string parameters StartDateTime and EndDateTime.";
    throw badRequest("ErrorInvalidParameter", text);
  }
  if (to < from) throw badRequest("ErrorInvalidParameter", "EndDateTime is earlier than StartDateTime.");
  if (to - from > LONGEST_VIEW) {
    const text =
      "The requested time duration specified for calendar view is too long. It exceeds the limit of 1825 days.";
    throw badRequest("ErrorCalendarViewRangeTooBig", text);
  }
  return [from, to];
}

function listed(world: World, account: Account, request: WireRequest, items: Item[]): WireResponse {
  const { query } = request;
  const options = viewOptions(world.knobs, account, preferences(request), expansion(query));
  const names = selection(query, eventProperties, TYPE);
  const filter = query.get("$filter");
  const kept = items.filter((item) => filter === null || meets(filtered(account, item), filter));
  const views = ordered(
    kept.map((item) => viewOf(item, options)),
    query.get("$orderby"),
  );
  const shown = views.map((view) => selected(view, names, ["singleValueExtendedProperties"]));
  return collection(world, request, `users('${account.oid}')/events`, shown);
}

function filtered(viewer: Account, item: Item) {
  const prefers = { immutableIds: false, timeZone: null, bodyType: "html" as const, maxPageSize: null, applied: [] };
  const view = viewOf(item, { viewer, prefers, zone: { name: "UTC", zone: "UTC" } });
  const exception = item.date === undefined ? undefined : item.event.exceptions.get(item.date);
  return { view, properties: new Map([...item.event.properties, ...(exception?.properties ?? [])]) };
}

/** $orderby by the start or by a field; everything else is refused. */
function ordered(views: EventResource[], order: string | null): EventResource[] {
  if (order === null) return views;
  const [, field, direction] =
    /^(start\/dateTime|end\/dateTime|createdDateTime|lastModifiedDateTime|subject)(?: (asc|desc))?$/i.exec(order) ?? [];
  if (!field) throw badRequest("BadRequest", `The $orderby expression '${order}' is not supported.`);
  const keyOf = (view: EventResource) =>
    String(field.split("/").reduce<unknown>((value, name) => (value as Record<string, unknown>)?.[name], view));
  const sign = direction?.toLowerCase() === "desc" ? -1 : 1;
  return [...views].sort((one, other) => sign * (keyOf(one) < keyOf(other) ? -1 : 1));
}
