import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { type OAuthTokens, oauthTokens, send } from "./oauth-tokens";

export interface StoredEvent {
  calendar: string;
  name: string;
  /** The series whose exception it is. */
  of: string | null;
  etag: string;
  /** Counts the changes. */
  change: number;
  /** Null: it was deleted. */
  state: unknown;
}

export interface StoredCalendar {
  id: string;
  name: string;
  makesLinks: boolean;
  /** The list says when something in it changed. */
  hasVersion: boolean;
  /** Counts the changes. Null: it was deleted. */
  change: number;
  isDeleted: boolean;
}

export interface StoredWatch {
  calendarId: string | null;
  url: string;
  channel: string;
  secret: string;
}

export interface OAuthCalendars extends OAuthTokens {
  url: string;
  calendars: Map<string, StoredCalendar>;
  /** Every event by its name. */
  events: Map<string, StoredEvent>;
  /** Somebody else changes an event, creates it or, with null, deletes it. */
  put(name: string, state: unknown, of?: { calendar?: string; of?: string | null }): StoredEvent;
  putCalendar(id: string, more?: Partial<StoredCalendar>): void;
  /** The list of calendars gives a sync token, with which it lists only what changed. */
  listsChanges: boolean;
  /** A sync token covers the window of its first read. */
  bindsWindows: boolean;
  /** Sync tokens from before are refused. */
  expireSyncTokens(): void;
  /** So many writes are accepted, and the next one fails. Null: all are. */
  failsAfter: number | null;
  /** Whom it notifies of changes, by its own names of the watches. */
  watches: Map<string, StoredWatch>;
  /** A renewed watch keeps its channel. Otherwise it is a new one. */
  prolongsWatches: boolean;
  /** Seconds that a watch goes on. */
  watchLifeS: number;
  /** Watches are refused. */
  refusesWatches: boolean;
  /** Notifies of a change of a calendar, or of the list. Gives the statuses of the responses. */
  notify(calendar: string | null, kind?: "changed" | "ended"): Promise<number[]>;
  /** Requests are refused, for this mailbox or for all of this application. */
  throttle: { scope: "mailbox" | "application"; afterS: number | null } | null;
  /** What was asked for with an access token, such as "GET /calendars/work/events?since=3". */
  asked: string[];
  close(): Promise<void>;
}

/** A calendar provider behind OAuth, whose changes are counted. It has a calendar `work`. */
export async function startOAuthCalendars(): Promise<OAuthCalendars> {
  const { tokens, authorize, token, isSignedIn } = oauthTokens();
  let changes = 0;
  let oldestToken = 0;

  const server = createServer((req, res) => void answer(req, res).catch(() => res.writeHead(500).end()));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const provider: OAuthCalendars = Object.assign(tokens, {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calendars: new Map(),
    events: new Map(),
    put: (name: string, state: unknown, { calendar = "work", of = null } = {}) => {
      changes += 1;
      const event = { calendar, name, of, etag: `"${changes}"`, change: changes, state };
      provider.events.set(name, event);
      return event;
    },
    putCalendar: (id: string, more: Partial<StoredCalendar> = {}) => {
      changes += 1;
      const known = provider.calendars.get(id) ?? {
        id,
        name: id,
        makesLinks: false,
        hasVersion: true,
        isDeleted: false,
      };
      provider.calendars.set(id, { ...known, ...more, change: changes });
    },
    listsChanges: false,
    bindsWindows: false,
    expireSyncTokens: () => {
      changes += 1;
      oldestToken = changes;
    },
    watches: new Map(),
    prolongsWatches: false,
    watchLifeS: 3600,
    refusesWatches: false,
    notify: async (calendar: string | null, kind = "changed") => {
      const all = [...provider.watches.values()].filter(({ calendarId }) => calendarId === calendar);
      const send = ({ url, channel, secret }: StoredWatch) =>
        fetch(url, { method: "POST", headers: { "x-channel": channel, "x-secret": secret, "x-kind": kind } });
      return (await Promise.all(all.map(send))).map(({ status }) => status);
    },
    failsAfter: null,
    throttle: null,
    asked: [],
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  });
  provider.putCalendar("work", { name: "Work" });

  async function answer(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(req.url ?? "/", provider.url);
    if (pathname === "/authorize") return authorize(searchParams, res);
    if (pathname === "/token") return token(req, res);
    if (!isSignedIn(req)) return send(res, 401, {});
    provider.asked.push(`${req.method} ${req.url}`);
    if (provider.throttle) return refuse(provider.throttle, res);
    if (pathname.startsWith("/watches")) return watch(req, res, pathname.split("/")[2] ?? "");
    if (pathname === "/revoke") {
      tokens.revoke();
      return send(res, 200, {});
    }
    const [, , calendar = "", events, name] = pathname.split("/");
    if (calendar === "") return listCalendars(searchParams.get("since"), res);
    if (events && !name) return list(calendar, searchParams, res);
    await oneEvent(req, res, { calendar, name: name ?? "", series: searchParams.get("of") });
  }

  async function watch(req: IncomingMessage, res: ServerResponse, resource: string): Promise<void> {
    if (provider.refusesWatches) return send(res, 403, {});
    if (resource !== "" && !provider.watches.has(resource)) return send(res, 404, {});
    if (req.method === "DELETE") {
      provider.watches.delete(resource);
      return send(res, 200, {});
    }
    const target = JSON.parse(await text(req));
    if (req.method === "PATCH" && provider.prolongsWatches)
      return send(res, 200, { resource, isNew: false, lifeS: provider.watchLifeS });
    provider.watches.delete(resource);
    changes += 1;
    provider.watches.set(`watch-${changes}`, target);
    send(res, 200, { resource: `watch-${changes}`, isNew: true, lifeS: provider.watchLifeS });
  }

  function listCalendars(since: string | null, res: ServerResponse): void {
    if (isRefused(since, res)) return;
    const all = [...provider.calendars.values()];
    const shown = all.filter(({ change, isDeleted }) => (since === null ? !isDeleted : change > Number(since)));
    const calendars = shown.map(({ id, name, makesLinks, hasVersion, isDeleted }) => {
      const own = [...provider.events.values()].filter(({ calendar }) => calendar === id);
      return {
        id,
        name,
        makesLinks,
        isDeleted,
        version: hasVersion ? String(Math.max(0, ...own.map(({ change }) => change))) : null,
      };
    });
    send(res, 200, { calendars, next: provider.listsChanges ? String(changes) : null });
  }

  function list(calendar: string, query: URLSearchParams, res: ServerResponse): void {
    const since = query.get("since");
    const series = query.get("series");
    if (series !== null) {
      const items = [...provider.events.values()].filter(({ name, of }) => name === series || of === series);
      send(res, 200, { events: items.filter(({ state }) => state !== null) });
      return;
    }
    const [change, ...window] = (since ?? `0,${query.get("from")},${query.get("to")}`).split(",");
    if (isRefused(since, res)) return;
    const [from, to] = provider.bindsWindows ? window.map(Number) : [];
    const all = [...provider.events.values()].filter((one) => one.calendar === calendar && isWithin(one, from, to));
    const events = all.filter((one) => (since === null ? one.state !== null : one.change > Number(change)));
    const next = provider.bindsWindows ? [changes, from, to].join(",") : String(changes);
    send(res, 200, { events, next, window: provider.bindsWindows ? { from, to } : null });
  }

  function refuse({ scope, afterS }: NonNullable<OAuthCalendars["throttle"]>, res: ServerResponse): void {
    send(res, 429, { scope }, afterS === null ? {} : { "retry-after": String(afterS) });
  }

  function isRefused(since: string | null, res: ServerResponse): boolean {
    const isOld = since !== null && Number.parseInt(since, 10) < oldestToken;
    if (isOld) send(res, 410, {});
    return isOld;
  }

  async function oneEvent(
    req: IncomingMessage,
    res: ServerResponse,
    of: { calendar: string; name: string; series: string | null },
  ) {
    const { name, calendar } = of;
    const known = provider.events.get(name);
    const isThere = known !== undefined && known.state !== null;
    const expected = req.headers["if-match"];
    if (expected !== undefined && !isThere) return send(res, 404, {});
    if (expected !== undefined && expected !== known?.etag) return send(res, 412, {});
    if (req.method !== "GET" && provider.failsAfter !== null && provider.failsAfter-- === 0) return send(res, 500, {});
    const place = { calendar, of: of.series };
    if (req.method === "DELETE") return send(res, 200, provider.put(name, null, place));
    if (req.method === "PUT") return send(res, 200, provider.put(name, JSON.parse(await text(req)), place));
    send(res, isThere ? 200 : 404, known ?? {});
  }

  return provider;
}

/** A deleted event is reported wherever it was. */
function isWithin({ state }: StoredEvent, from = Number.NEGATIVE_INFINITY, to = Number.POSITIVE_INFINITY): boolean {
  const span = (state as { span?: { starts: number; ends: number } } | null)?.span;
  return !span || (span.starts < to && span.ends > from);
}
