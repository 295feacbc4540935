import { itemOf } from "./access";
import { getCalendar, listCalendars, updateCalendar } from "./calendars";
import { accountFor, type Caller, permit } from "./callers";
import { trackView } from "./delta";
import { checkMemberGroups, getPlace, listGroups, listRooms, listUsers } from "./directory";
import { invalidUser, knownErrors, resourceNotFound, type WireResponse } from "./errors";
import { cancelEvent, respond, responses } from "./event-actions";
import { getEvent, listEvents, listInstances, listView } from "./event-lists";
import { createEvent, deleteEvent, updateEvent } from "./event-writes";
import { getMailboxSettings, getUser } from "./me";
import type { WireRequest } from "./request";
import type { Access } from "./scopes";
import type { Account, World } from "./state";
import type { SubscriptionStore } from "./subscriptions";

/** A call of Graph by somebody who may make it. */
interface Call {
  world: World;
  subscriptions: SubscriptionStore;
  caller: Caller;
  request: WireRequest;
  /** The parts of the path that vary, decoded; undefined for those that are not there. */
  parts: (string | undefined)[];
}

/** A call that is about the mailbox or the user of an account. */
interface CallOfAccount extends Call {
  account: Account;
}

interface Method<C> {
  access: Access;
  run(call: C): WireResponse | Promise<WireResponse>;
}

const item = ({ world, account, parts: [calendarId, id = ""] }: CallOfAccount) =>
  itemOf(world, account, id, calendarId);
const actions = Object.keys(responses) as (keyof typeof responses)[];

/** A calendar of the mailbox: none, the default one, or one by its id. */
const CALENDAR = "(?:/(?:calendar()|calendars/([^/]+)))";
const EVENTS = `${CALENDAR}?/events`;
const ONE = `${EVENTS}/([^/]+)`;

/** Method and path of each call: sections "HTTP request" of the reference. Paths of a mailbox are those after /me. */
const methods: [RegExp, Method<CallOfAccount>][] = [
  route("GET", "", { access: "profile", run: ({ world, account, request }) => getUser(world, account, request) }),
  route("POST", "/checkMemberGroups", {
    access: "memberships",
    run: ({ world, account, request }) => checkMemberGroups(world, account, request),
  }),
  route("GET", "/mailboxSettings", {
    access: "settings",
    run: ({ world, account }) => getMailboxSettings(world, account),
  }),
  route("GET", "/calendars", {
    access: "read",
    run: ({ world, account, request }) => listCalendars(world, account, request),
  }),
  route("GET", CALENDAR, {
    access: "read",
    run: ({ world, account, request, parts: [id = ""] }) => getCalendar(world, account, request, id),
  }),
  route("PATCH", CALENDAR, {
    access: "write",
    run: ({ world, account, request, parts: [id = ""] }) => updateCalendar(world, account, request, id),
  }),
  route("GET", EVENTS, {
    access: "read",
    run: ({ world, account, request, parts: [id] }) => listEvents(world, account, request, id),
  }),
  route("POST", EVENTS, {
    access: "write",
    run: ({ world, account, request, parts: [id = ""] }) => createEvent(world, account, request, id),
  }),
  route("GET", ONE, { access: "read", run: (call) => getEvent(call.world, call.account, call.request, item(call)) }),
  route("PATCH", ONE, {
    access: "write",
    run: (call) => updateEvent(call.world, call.account, call.request, item(call)),
  }),
  route("DELETE", ONE, {
    access: "write",
    run: (call) => deleteEvent(call.world, call.account, call.request, item(call)),
  }),
  route("GET", `${ONE}/instances`, {
    access: "read",
    run: ({ world, account, request, parts: [calendarId, id = ""] }) =>
      listInstances(world, account, request, id, calendarId),
  }),
  route("POST", `${ONE}/cancel`, {
    access: "write",
    run: (call) => cancelEvent(call.world, call.account, call.request, item(call)),
  }),
  ...actions.map((action) =>
    route<CallOfAccount>("POST", `${ONE}/${action}`, {
      access: "write",
      run: (call) => respond(call.world, call.account, call.request, item(call), action),
    }),
  ),
  route("GET", `${CALENDAR}?/calendarView`, {
    access: "read",
    run: ({ world, account, request, parts: [id = ""] }) => listView(world, account, request, id),
  }),
  // Page "Use delta query": "/delta is a shortcut for the fully qualified name /microsoft.graph.delta".
  route("GET", `${CALENDAR}?/calendarView/(?:microsoft\\.graph\\.)?delta(?:\\(\\))?`, {
    access: "read",
    run: ({ world, account, request, parts: [id = ""] }) => trackView(world, account, request, id),
  }),
];

const otherMethods: [RegExp, Method<Call>][] = [
  route("GET", "/users", { access: "users", run: ({ world, caller, request }) => listUsers(world, caller, request) }),
  route("GET", "/groups", {
    access: "groups",
    run: ({ world, caller, request }) => listGroups(world, caller, request),
  }),
  route("GET", "/places/microsoft\\.graph\\.room", {
    access: "places",
    run: ({ world, caller, request }) => listRooms(world, caller, request),
  }),
  route("GET", "/places/([^/]+)", {
    access: "places",
    run: ({ world, caller, parts: [id = ""] }) => getPlace(world, caller, id),
  }),
  route("GET", "/subscriptions", { access: "read", run: ({ subscriptions, caller }) => subscriptions.list(caller) }),
  route("POST", "/subscriptions", {
    access: "read",
    run: ({ subscriptions, caller, request }) => subscriptions.create(caller, request),
  }),
  route("GET", "/subscriptions/([^/]+)", {
    access: "read",
    run: ({ subscriptions, caller, parts: [id = ""] }) => subscriptions.get(caller, id),
  }),
  route("PATCH", "/subscriptions/([^/]+)", {
    access: "read",
    run: ({ subscriptions, caller, request, parts: [id = ""] }) => subscriptions.update(caller, id, request),
  }),
  route("DELETE", "/subscriptions/([^/]+)", {
    access: "read",
    run: ({ subscriptions, caller, parts: [id = ""] }) => subscriptions.drop(caller, id),
  }),
  route("POST", "/subscriptions/([^/]+)/reauthorize", {
    access: "read",
    run: ({ subscriptions, caller, parts: [id = ""] }) => subscriptions.reauthorize(caller, id),
  }),
];

function route<C>(method: string, path: string, rest: Method<C>): [RegExp, Method<C>] {
  return [new RegExp(`^${method} ${path}$`, "i"), rest];
}

/** The method of a line of a request that the caller may use, with the groups of its path. */
function methodOf<C>(all: [RegExp, Method<C>][], line: string, caller: Caller) {
  for (const [pattern, method] of all) {
    const match = pattern.exec(line);
    if (!match) continue;
    permit(caller, method.access);
    const groups = match.slice(1).map((part) => (part === undefined ? undefined : decodeURIComponent(part)));
    return { ...method, groups };
  }
  permit(caller, "profile");
  throw knownErrors.itemNotFound();
}

const MAILBOX = /^\/v1\.0\/(?:me|users\/([^/]+))(?=\/|$)/;

/** Whether a path is one of a mailbox, whose requests at once are counted. */
export const isOfMailbox = (path: string) => MAILBOX.test(path);

/** The key of users/{key} in a path; undefined for /me. */
export function userIn(path: string): string | undefined {
  const user = MAILBOX.exec(path)?.[1];
  return user === undefined ? undefined : decodeURIComponent(user);
}

/** What Graph does with a request of a caller. */
export async function callGraph(
  world: World,
  subscriptions: SubscriptionStore,
  request: WireRequest,
  caller: Caller,
): Promise<WireResponse> {
  const path = request.url.pathname.replace(/\/$/, "");
  const call = { world, subscriptions, caller, request };
  if (!isOfMailbox(path)) {
    const { run, groups } = methodOf(otherMethods, `${request.method} ${path.replace(/^\/v1\.0/, "")}`, caller);
    return await run({ ...call, parts: groups });
  }
  const user = userIn(path);
  if (user === undefined && !caller.account) throw knownErrors.notDelegated();
  const { access, run, groups } = methodOf(methods, `${request.method} ${path.replace(MAILBOX, "")}`, caller);
  const isOfDirectory = access === "profile" || access === "memberships";
  const account = accountFor(world, caller, user, isOfDirectory ? resourceNotFound : invalidUser);
  // The calendar comes first, then the event: the groups of a mailbox's path are "", the id of a calendar, and the id of an event.
  const [byDefault, id, ...rest] = groups;
  return await run({ ...call, account, parts: [byDefault ?? id, ...rest] });
}
