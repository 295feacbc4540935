import type { Viewer } from "./access";
import { readOnce } from "./conferences";
import { invalid, knownErrors, type WireResponse } from "./errors";
import { isWithin, sparse, viewOf } from "./event-view";
import { eventOf, exceptionsOf, instancesOf } from "./instances";
import { chosen, type Keyed, page, sortable } from "./paging";
import { stampOf } from "./recurrence";
import { flag, integer, type WireRequest } from "./request";
import { type EventResource, etagOf, instantOf, rfc3339, type StoredEvent, type World } from "./state";
import { epochOf, isZone } from "./times";

const DEFAULT_PAGE = 250;
const LARGEST_PAGE = 2500;

/** Parameter `syncToken` of events.list: these cannot be specified together with it. */
const incompatible = [
  ...["iCalUID", "orderBy", "privateExtendedProperty", "q", "sharedExtendedProperty"],
  ...["timeMin", "timeMax", "updatedMin"],
];
const DAY = 86_400_000;

/** events.get: it always returns cancelled events (field `status`). */
export function getEvent(world: World, viewer: Viewer, { query, headers }: WireRequest, id: string): WireResponse {
  const event = eventOf(viewer.calendar, id);
  if (readOnce(world, event)) {
    event.version = world.nextVersion();
    world.changed({ events: viewer.calendar.id });
  }
  // [K], guide "Get specific versions of resources": conditional retrieval.
  if (headers["if-none-match"] === etagOf(event.version)) return { status: 304 };
  return { status: 200, body: viewOf(viewer, event, viewOptions(world, query)) };
}

/** events.list. */
export function listEvents(world: World, viewer: Viewer, { query }: WireRequest): WireResponse {
  checkQuery(world, query);
  const { calendar, account } = viewer;
  const restricted = incompatible.filter((name) => query.has(name) && name !== "timeMin" && name !== "timeMax");
  const listing = {
    of: `events ${account.sub} ${calendar.id}`,
    parameters: chosen(query, ["singleEvents", "eventTypes", "maxAttendees", "showHiddenInvitations", "timeZone"]),
    query,
    floor: Math.max(calendar.syncFloors.get("") ?? 0, calendar.syncFloors.get(account.sub) ?? 0),
    pageSize: pageSize(world, query),
    // The sync guide lets the initial request have a window; [K]: a filtered or ordered list has no token.
    isSyncable: restricted.length === 0,
  };
  const found = page(world, listing, (since) => keyed(selected(viewer, query, since), query));
  return { status: 200, body: collection(world, viewer, query, found) };
}

/** events.instances. */
export function listInstances(world: World, viewer: Viewer, { query }: WireRequest, id: string): WireResponse {
  checkWindow(query);
  const master = eventOf(viewer.calendar, id);
  const listing = {
    of: `instances ${viewer.account.sub} ${viewer.calendar.id} ${id}`,
    parameters: chosen(query, ["originalStart", "showDeleted", "timeMin", "timeMax"]),
    query,
    floor: 0,
    pageSize: pageSize(world, query),
    isSyncable: false,
  };
  const original = query.get("originalStart");
  const found = page(world, listing, () =>
    keyed(
      (master.resource.recurrence ? expanded(viewer, master, query) : [])
        .filter(({ resource }) => flag(query, "showDeleted") || resource.status !== "cancelled")
        .filter(({ resource }) => original === null || startsAt(resource, original)),
      query,
    ),
  );
  return { status: 200, body: collection(world, viewer, query, found) };
}

function pageSize(world: World, query: URLSearchParams): number {
  const asked = integer(query, "maxResults", 1) ?? DEFAULT_PAGE;
  return Math.min(asked, LARGEST_PAGE, world.knobs.pageSize ?? LARGEST_PAGE);
}

function collection(world: World, viewer: Viewer, query: URLSearchParams, found: { items: StoredEvent[] }): object {
  const { calendar, role } = viewer;
  const options = viewOptions(world, query);
  const { cancelled } = world.knobs;
  const isBare = (event: StoredEvent) =>
    event.resource.status === "cancelled" && (cancelled !== "by the reference" || !showsDeleted(viewer, event, query));
  const bare = (event: StoredEvent) =>
    sparse(event, cancelled === "id only" ? null : (options.timeZone ?? calendar.timeZone));
  const items = found.items.map((event) => (isBare(event) ? bare(event) : viewOf(viewer, event, options)));
  return {
    kind: "calendar#events",
    etag: `"p${sortable(world.version())}"`,
    summary: calendar.summary,
    ...(calendar.description !== undefined && { description: calendar.description }),
    updated: rfc3339(calendar.updated),
    timeZone: calendar.timeZone,
    accessRole: role,
    defaultReminders: calendar.defaultReminders,
    ...found,
    items,
  };
}

/** Field `status`: on the organizer's calendar cancelled events keep their details, except in syncs without showDeleted. */
function showsDeleted({ calendar }: Viewer, { resource }: StoredEvent, query: URLSearchParams): boolean {
  return flag(query, "showDeleted") && resource.organizer?.email === calendar.id;
}

function viewOptions(world: World, query: URLSearchParams) {
  const maxAttendees = integer(query, "maxAttendees", 1);
  const timeZone = query.get("timeZone");
  if (timeZone !== null && !isZone(timeZone)) throw invalid("Invalid time zone.");
  return { origin: world.origin, timeZone, ...(maxAttendees !== undefined && { maxAttendees }) };
}

function checkQuery(world: World, query: URLSearchParams): void {
  checkWindow(query);
  const order = query.get("orderBy");
  if (order !== null && order !== "startTime" && order !== "updated") throw invalid("Invalid orderBy.");
  // Reference of events.list, orderBy: startTime "is only available when querying single events".
  if (order === "startTime" && !flag(query, "singleEvents")) {
    throw invalid("The requested ordering is not available for the particular query.");
  }
  const updatedMin = query.get("updatedMin");
  if (updatedMin !== null && Number.isNaN(instantOf(updatedMin))) throw invalid("Invalid updatedMin.");
  if (updatedMin !== null && instantOf(updatedMin) < world.now() - world.knobs.updatedMinDays * DAY) {
    throw knownErrors.updatedMinTooLongAgo();
  }
  if (!query.has("syncToken")) return;
  const forbidden = incompatible.find((name) => query.has(name));
  if (forbidden) throw invalid(`Sync token cannot be used with ${forbidden}.`);
  if (query.get("showDeleted") === "false") throw invalid("Sync token cannot be used with showDeleted=false.");
}

/** Parameters `timeMin` and `timeMax`: RFC 3339 with an offset, and the one below the other. */
function checkWindow(query: URLSearchParams): void {
  const [from, to] = windowOf(query);
  if (Number.isNaN(from) || Number.isNaN(to)) throw invalid("Bad Request");
  if (from >= to) throw knownErrors.timeRangeEmpty();
}

function windowOf(query: URLSearchParams): [number, number] {
  const [from, to] = [query.get("timeMin"), query.get("timeMax")];
  return [
    from === null ? Number.NEGATIVE_INFINITY : instantOf(from),
    to === null ? Number.POSITIVE_INFINITY : instantOf(to),
  ];
}

function keyed(events: StoredEvent[], query: URLSearchParams): Keyed<StoredEvent>[] {
  return events.map((item) => ({ key: keyOf(item, query.get("orderBy")), item }));
}

function keyOf({ resource, position }: StoredEvent, order: string | null): string {
  const start = resource.start ?? resource.originalStartTime;
  const begins = start ? sortable(epochOf(start)) : "";
  if (order === "startTime") return `${begins} ${resource.id}`;
  if (order === "updated") return `${resource.updated} ${resource.id}`;
  // "The default is an unspecified, stable order."
  return `${sortable(position)} ${resource.recurringEventId ? begins : ""} ${resource.id}`;
}

/** The events of a list: changed ones since a version, or all; whole series or their instances. */
function selected(viewer: Viewer, query: URLSearchParams, since: number | null): StoredEvent[] {
  const { calendar } = viewer;
  const [from, to] = windowOf(query);
  const stored = [...calendar.events.values()].filter(({ version }) => since === null || version > since);
  const single = flag(query, "singleEvents") ? singled(viewer, stored, query, since) : stored;
  return single
    .filter((event) => since !== null || isShown(viewer, event, query))
    .filter((event) => matches(event.resource, query))
    .filter((event) => since !== null || touches(viewer, event, from, to));
}

/** Parameter `showDeleted`, and `updatedMin`, which includes what was deleted since. */
function isShown({ calendar }: Viewer, { resource }: StoredEvent, query: URLSearchParams): boolean {
  if (resource.status !== "cancelled" || flag(query, "showDeleted")) return true;
  if (query.has("updatedMin")) return true;
  if (flag(query, "singleEvents") || !resource.recurringEventId) return false;
  // "Cancelled instances of recurring events (but not the underlying recurring event) will still be included".
  const master = calendar.events.get(resource.recurringEventId);
  return master !== undefined && master.resource.status !== "cancelled";
}

function touches({ calendar }: Viewer, event: StoredEvent, from: number, to: number): boolean {
  if (from === Number.NEGATIVE_INFINITY && to === Number.POSITIVE_INFINITY) return true;
  if (!event.resource.recurrence) return isWithin(event.resource, calendar.timeZone, from, to);
  const rare = event.resource.recurrence.some((line) => /FREQ=(YEARLY|MONTHLY)/.test(line));
  const ahead = (rare ? 3660 : 400) * DAY;
  const until = to === Number.POSITIVE_INFINITY ? Math.max(from, epochOf(event.resource.start ?? {})) + ahead : to;
  const all = instancesOf(calendar, event, until);
  return all.some(({ resource }) => isWithin(resource, calendar.timeZone, from, to));
}

/** Parameter `singleEvents`: instances instead of the series; a changed series gives all its instances. */
function singled(viewer: Viewer, stored: StoredEvent[], query: URLSearchParams, since: number | null): StoredEvent[] {
  const series = stored.filter(({ resource }) => resource.recurrence);
  const instances = series.flatMap((master) => {
    const all = expanded(viewer, master, since === null ? query : new URLSearchParams());
    if (master.resource.status !== "cancelled") return all;
    return all.map((one) => ({ ...one, resource: { ...one.resource, status: "cancelled" } }));
  });
  const expandedIds = new Set(instances.map(({ resource }) => resource.id));
  const others = stored.filter(({ resource }) => !resource.recurrence && !expandedIds.has(resource.id));
  return [...others, ...instances];
}

/** The instances of a series within the window of a query, cancelled ones included. */
function expanded({ calendar }: Viewer, master: StoredEvent, query: URLSearchParams): StoredEvent[] {
  const [from, to] = windowOf(query);
  const all = instancesOf(calendar, master, to === Number.POSITIVE_INFINITY ? undefined : to);
  const exceptions = new Set(exceptionsOf(calendar, master.resource.id));
  return all
    .map((one) => (exceptions.has(one) ? one : { ...one, position: master.position }))
    .filter(({ resource }) => isWithin(resource, calendar.timeZone, from, to));
}

function startsAt({ originalStartTime }: EventResource, text: string): boolean {
  if (!originalStartTime) return false;
  if (originalStartTime.date) return originalStartTime.date === text.slice(0, 10);
  return stampOf(originalStartTime) === (Number.isNaN(Date.parse(text)) ? "" : stampOf({ dateTime: text }));
}

/** The filters of events.list. */
function matches(event: EventResource, query: URLSearchParams): boolean {
  const types = query.getAll("eventTypes");
  const uid = query.get("iCalUID");
  const updatedMin = query.get("updatedMin");
  const terms = (query.get("q") ?? "").toLowerCase();
  const { organizer, attendees } = event;
  const people = [organizer, ...(attendees ?? [])].flatMap((person) => [person?.displayName, person?.email]);
  const texts = [event.summary, event.description, event.location, ...people];
  return (
    (types.length === 0 || types.includes(event.eventType ?? "default")) &&
    (uid === null || event.iCalUID === uid) &&
    (updatedMin === null || Date.parse(event.updated ?? "") >= instantOf(updatedMin)) &&
    (terms === "" || texts.some((text) => text?.toLowerCase().includes(terms))) &&
    hasProperties(event.extendedProperties?.private, query.getAll("privateExtendedProperty")) &&
    hasProperties(event.extendedProperties?.shared, query.getAll("sharedExtendedProperty"))
  );
}

/** Parameter `privateExtendedProperty`: "events that match all given constraints"; the guide "Extended properties" says any. */
function hasProperties(properties: Record<string, string> | undefined, constraints: string[]): boolean {
  return constraints.every((constraint) => {
    const [name = "", ...value] = constraint.split("=");
    return properties?.[name] === value.join("=");
  });
}
