import { itemOf } from "./access";
import { getCalendar, listCalendars, updateCalendar } from "./calendars";
import { trackView } from "./delta";
import { knownErrors, type WireResponse } from "./errors";
import { cancelEvent, respond, responses } from "./event-actions";
import { getEvent, listEvents, listInstances, listView } from "./event-lists";
import { createEvent, deleteEvent, updateEvent } from "./event-writes";
import type { AccessToken } from "./grants";
import { getMailboxSettings, getMe, userIdOf } from "./me";
import type { WireRequest } from "./request";
import type { Account, World } from "./state";
import type { SubscriptionStore } from "./subscriptions";

/** A call of Graph by an account that may make it. */
interface Call {
  world: World;
  subscriptions: SubscriptionStore;
  token: AccessToken;
  account: Account;
  request: WireRequest;
  /** The parts of the path that vary, decoded; undefined for those that are not there. */
  parts: (string | undefined)[];
}

type Access = "profile" | "read" | "write";

interface Method {
  access: Access;
  run(call: Call): WireResponse | Promise<WireResponse>;
}

const item = ({ world, account, parts: [calendarId, id = ""] }: Call) => itemOf(world, account, id, calendarId);
const actions = Object.keys(responses) as (keyof typeof responses)[];

/** A calendar of the mailbox: none, the default one, or one by its id. */
const CALENDAR = "(?:/(?:calendar()|calendars/([^/]+)))";
const EVENTS = `${CALENDAR}?/events`;
const ONE = `${EVENTS}/([^/]+)`;

/** Method and path of each call: sections "HTTP request" of the reference. Paths of a mailbox are those after /me. */
const methods: [RegExp, Method][] = [
  route("GET", "", { access: "profile", run: ({ world, account, request }) => getMe(world, account, request) }),
  route("GET", "/mailboxSettings", {
    access: "profile",
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
    route("POST", `${ONE}/${action}`, {
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

const subscriptionMethods: [RegExp, Method][] = [
  route("GET", "/subscriptions", { access: "read", run: ({ subscriptions, account }) => subscriptions.list(account) }),
  route("POST", "/subscriptions", {
    access: "read",
    run: ({ subscriptions, account, token, request }) => subscriptions.create(account, token.grant.client.id, request),
  }),
  route("GET", "/subscriptions/([^/]+)", {
    access: "read",
    run: ({ subscriptions, account, parts: [id = ""] }) => subscriptions.get(account, id),
  }),
  route("PATCH", "/subscriptions/([^/]+)", {
    access: "read",
    run: ({ subscriptions, account, request, parts: [id = ""] }) => subscriptions.update(account, id, request),
  }),
  route("DELETE", "/subscriptions/([^/]+)", {
    access: "read",
    run: ({ subscriptions, account, parts: [id = ""] }) => subscriptions.drop(account, id),
  }),
  route("POST", "/subscriptions/([^/]+)/reauthorize", {
    access: "read",
    run: ({ subscriptions, account, parts: [id = ""] }) => subscriptions.reauthorize(account, id),
  }),
];

function route(method: string, path: string, rest: Method): [RegExp, Method] {
  return [new RegExp(`^${method} ${path}$`, "i"), rest];
}

const MAILBOX = /^\/v1\.0\/(?:me|users\/([^/]+))(?=\/|$)/;

/** Whether a path is one of a mailbox, whose requests at once are counted. */
export const isOfMailbox = (path: string) => MAILBOX.test(path);

/** What Graph does with a request; `authorize` returns the token if it may be used for that, or throws. */
export async function callGraph(
  world: World,
  subscriptions: SubscriptionStore,
  request: WireRequest,
  authorize: (access: Access) => AccessToken,
): Promise<WireResponse> {
  const path = request.url.pathname.replace(/\/$/, "");
  const mailbox = MAILBOX.exec(path);
  const line = `${request.method} ${path.replace(mailbox ? MAILBOX : /^\/v1\.0/, "")}`;
  for (const [pattern, { access, run }] of mailbox ? methods : subscriptionMethods) {
    const match = pattern.exec(line);
    if (!match) continue;
    const token = authorize(access);
    const { account } = token.grant;
    checkUser(account, mailbox?.[1]);
    return await run({ world, subscriptions, token, account, request, parts: partsOf(mailbox !== null, match) });
  }
  authorize("profile");
  throw knownErrors.itemNotFound();
}

/** The calendar comes first, then the event: the groups of a mailbox's path are "", the id of a calendar, and the id of an event. */
function partsOf(isMailbox: boolean, match: RegExpExecArray): (string | undefined)[] {
  const groups = match.slice(1).map((part) => (part === undefined ? undefined : decodeURIComponent(part)));
  if (!isMailbox) return groups;
  const [byDefault, id, ...rest] = groups;
  return [byDefault ?? id, ...rest];
}

/** users/{id} of another account: [K], without a shared calendar it is denied. */
function checkUser(account: Account, user: string | undefined): void {
  if (user === undefined) return;
  const name = decodeURIComponent(user).toLowerCase();
  const isOwn = [account.oid, account.email, userIdOf(account)].some((one) => one.toLowerCase() === name);
  if (!isOwn) throw knownErrors.accessDenied();
}
