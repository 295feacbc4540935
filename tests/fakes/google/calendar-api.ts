import { viewerOf, writerOf } from "./access";
import { getListEntry, listCalendars } from "./calendar-list";
import { type Channels, watchedEvents, watchedList } from "./channels";
import { knownErrors, type WireResponse } from "./errors";
import { getEvent, listEvents, listInstances } from "./event-lists";
import { deleteEvent, insertEvent, patchEvent, updateEvent } from "./event-writes";
import { queryFreeBusy } from "./free-busy";
import { partOf } from "./partial-response";
import { jsonBody, type WireRequest } from "./request";
import { acceptedScopes } from "./scopes";
import type { Account, World } from "./state";

type Scopes = keyof typeof acceptedScopes;

/** A call of the API by an account that may make it. */
interface Call {
  world: World;
  channels: Channels;
  account: Account;
  request: WireRequest;
  /** The decoded parts of the path that vary. */
  ids: string[];
}

interface Method {
  scopes: Scopes;
  run(call: Call): WireResponse;
}

const onCalendar =
  (run: (world: World, viewer: ReturnType<typeof viewerOf>, request: WireRequest, id: string) => WireResponse) =>
  ({ world, account, request, ids: [calendarId = "", id = ""] }: Call) =>
    run(world, viewerOf(world, account, calendarId), request, id);

const onOwnCalendar =
  (run: (world: World, viewer: ReturnType<typeof writerOf>, request: WireRequest, id: string) => WireResponse) =>
  ({ world, account, request, ids: [calendarId = "", id = ""] }: Call) =>
    run(world, writerOf(world, account, calendarId), request, id);

const CALENDARS = "/calendar/v3/calendars/([^/]+)";

/** Method and path of each call, from the discovery document. */
const methods: [RegExp, Method][] = [
  route("GET", "/calendar/v3/users/me/calendarList", {
    scopes: "readList",
    run: ({ world, account, request }) => listCalendars(world, account, request.query),
  }),
  route("POST", "/calendar/v3/users/me/calendarList/watch", {
    scopes: "readList",
    run: ({ channels, account, request }) => channels.watch(account, watchedList(account), jsonBody(request)),
  }),
  route("GET", "/calendar/v3/users/me/calendarList/([^/]+)", {
    scopes: "readList",
    run: ({ world, account, ids: [id = ""] }) => getListEntry(world, account, id),
  }),
  route("GET", `${CALENDARS}/events`, { scopes: "readEvents", run: onCalendar(listEvents) }),
  route("POST", `${CALENDARS}/events`, { scopes: "writeEvents", run: onOwnCalendar(insertEvent) }),
  route("POST", `${CALENDARS}/events/watch`, {
    scopes: "readEvents",
    run: ({ world, channels, account, request, ids: [id = ""] }) => {
      const { calendar } = viewerOf(world, account, id);
      if (calendar.isGenerated) throw knownErrors.pushNotSupported();
      return channels.watch(account, watchedEvents(calendar.id), jsonBody(request));
    },
  }),
  route("GET", `${CALENDARS}/events/([^/]+)`, { scopes: "readEvents", run: onCalendar(getEvent) }),
  route("PUT", `${CALENDARS}/events/([^/]+)`, { scopes: "writeEvents", run: onOwnCalendar(updateEvent) }),
  route("PATCH", `${CALENDARS}/events/([^/]+)`, { scopes: "writeEvents", run: onOwnCalendar(patchEvent) }),
  route("DELETE", `${CALENDARS}/events/([^/]+)`, { scopes: "writeEvents", run: onOwnCalendar(deleteEvent) }),
  route("GET", `${CALENDARS}/events/([^/]+)/instances`, { scopes: "readEvents", run: onCalendar(listInstances) }),
  route("POST", "/calendar/v3/freeBusy", {
    scopes: "queryFreeBusy",
    run: ({ world, account, request }) => queryFreeBusy(world, account, request),
  }),
  route("POST", "/calendar/v3/channels/stop", {
    scopes: "stopChannel",
    run: ({ channels, account, request }) => channels.stop(account, jsonBody(request)),
  }),
];

function route(method: string, path: string, rest: Method): [RegExp, Method] {
  return [new RegExp(`^${method} ${path}$`), rest];
}

/** What the API does with a request; `authorize` returns the account of a token that has one of the scopes, or throws. */
export function callApi(
  world: World,
  channels: Channels,
  request: WireRequest,
  authorize: (scopes: string[]) => Account,
): WireResponse {
  const line = `${request.method} ${request.url.pathname}`;
  for (const [pattern, { scopes, run }] of methods) {
    const match = pattern.exec(line);
    if (!match) continue;
    const account = authorize(acceptedScopes[scopes]);
    if (!account.hasCalendar) throw knownErrors.notACalendarUser();
    const response = run({ world, channels, account, request, ids: match.slice(1).map(decodeURIComponent) });
    const { body } = response;
    return typeof body === "object" ? { ...response, body: partOf(body, request.query.get("fields")) } : response;
  }
  throw knownErrors.notFound();
}
