import { createHash } from "node:crypto";
import { apiError, invalid, required, type WireResponse } from "./errors";
import type { NoticeQueue } from "./notices";
import type { Account, Change, World } from "./state";

export interface Channel {
  id: string;
  resourceId: string;
  resourceUri: string;
  token: string | undefined;
  address: string;
  expiration: number;
  /** The sub of the account that watches. */
  owner: string;
  /** What it watches: `events` of a calendar, or the `list` of an account. */
  watched: string;
  stopped: boolean;
  messages: number;
}

export interface Channels {
  all: Channel[];
  watch(account: Account, watched: WatchedResource, body: Record<string, unknown>): WireResponse;
  stop(account: Account, body: Record<string, unknown>): WireResponse;
  /** Notifies the channels that watch what changed. */
  notify(change: Change): void;
}

export interface WatchedResource {
  key: string;
  path: string;
}

/** [K]: about a week; the push guide only speaks of "internal limits or defaults". */
const LONGEST_LIFE = 7 * 86_400_000;
const LONGEST_TOKEN = 256;
/** Message numbers increase "but they are not sequential" (push guide). */
const NUMBER_STEP = 7;

/** The events of a calendar, as a resource to watch. */
export const watchedEvents = (calendarId: string): WatchedResource => ({
  key: `events ${calendarId}`,
  path: `/calendar/v3/calendars/${encodeURIComponent(calendarId).replaceAll("%40", "@")}/events`,
});

/** The calendar list of an account, as a resource to watch. */
export const watchedList = (account: Account): WatchedResource => ({
  key: `list ${account.sub}`,
  path: "/calendar/v3/users/me/calendarList",
});

/** The channels of all accounts, which notify through the queue. */
export function channelStore(world: World, notices: NoticeQueue): Channels {
  const all: Channel[] = [];

  function watch(account: Account, watched: WatchedResource, body: Record<string, unknown>): WireResponse {
    const { id, address } = checked(body);
    // Public reports show 400 with this reason (the push guide says only that the id is unique): id of a past channel too [K].
    if (all.some((channel) => channel.id === id)) {
      throw apiError({ status: 400, reason: "channelIdNotUnique", message: "Channel id not unique" });
    }
    const channel: Channel = {
      id,
      // "This ID is stable across API versions": the same resource has the same id on each channel.
      resourceId: createHash("sha256").update(watched.key).digest("base64url").slice(0, 27),
      resourceUri: `${world.origin}${watched.path}`,
      token: typeof body.token === "string" ? body.token : undefined,
      address,
      expiration: expirationOf(world.now(), body),
      owner: account.sub,
      watched: watched.key,
      stopped: false,
      messages: 0,
    };
    all.push(channel);
    send(channel, "sync");
    const { resourceId, resourceUri, token, expiration } = channel;
    const echoed = token !== undefined && { token };
    const described = { kind: "api#channel", id, resourceId, resourceUri, ...echoed, expiration: String(expiration) };
    return { status: 200, body: described };
  }

  function stop(account: Account, { id, resourceId }: Record<string, unknown>): WireResponse {
    if (!id) throw required("Required parameter: id");
    if (!resourceId) throw required("Required parameter: resourceId");
    const channel = all.find((one) => one.id === id && one.resourceId === resourceId && !one.stopped);
    // The push guide: "only the same user" who created a channel can stop it; that others get 404 is [K].
    if (!channel || channel.owner !== account.sub) {
      throw apiError({ status: 404, reason: "notFound", message: `Channel '${id}' not found for project 'fake'` });
    }
    channel.stopped = true;
    return { status: 204 };
  }

  function notify(change: Change): void {
    const key = "events" in change ? `events ${change.events}` : `list ${change.listOf}`;
    for (const channel of all) {
      const isOver = channel.expiration <= world.now() || (channel.stopped && !notices.lingering);
      if (channel.watched === key && !isOver) send(channel, "exists");
    }
  }

  function send(channel: Channel, state: "sync" | "exists"): void {
    // The push guide: "Value is always 1 for sync messages."
    channel.messages += state === "sync" ? 1 : NUMBER_STEP;
    const number = channel.messages;
    notices.send({
      channelId: channel.id,
      state,
      number,
      address: channel.address,
      headers: headersOf(channel, state),
    });
  }

  return { all, watch, stop, notify };
}

/**
 * The push guide: id of at most 64 characters, token of at most 256, type web_hook, an HTTPS address.
 * Reasons are [K]; http is allowed on loopback for tests.
 */
function checked({ id, type, address, token }: Record<string, unknown>): { id: string; address: string } {
  if (typeof id !== "string" || id === "") throw required("Required parameter: id");
  if (!/^[A-Za-z0-9\-_+/=]{1,64}$/.test(id)) throw invalid("Invalid channel id.");
  if (typeof token === "string" && token.length > LONGEST_TOKEN) throw invalid("Invalid channel token.");
  if (type !== "web_hook" && type !== "webhook") throw push("push.channelTypeNotSupported", "Unknown channel type.");
  if (typeof address !== "string" || address === "") throw required("Required parameter: address");
  if (!/^https:\/\/|^http:\/\/(127\.0\.0\.1|localhost|\[::1\])[:/]/.test(address)) {
    throw push("push.webhookUrlNotHttps", `WebHook callback must be HTTPS: ${address}`);
  }
  return { id, address };
}

const push = (reason: string, message: string) => apiError({ status: 400, reason, message });

/** The push guide: the request's value or Google's limit, "the more restrictive value is used". */
function expirationOf(now: number, { expiration, params }: Record<string, unknown>): number {
  const latest = now + LONGEST_LIFE;
  const ttl = Number((params as { ttl?: string } | undefined)?.ttl);
  if (expiration === undefined) return ttl > 0 ? Math.min(latest, now + ttl * 1000) : latest;
  const asked = Number(expiration);
  if (!Number.isFinite(asked) || asked <= now) throw invalid("Invalid expiration.");
  return Math.min(latest, asked);
}

/** The headers of the push guide, section "Interpret the notification message format". */
function headersOf(channel: Channel, state: string): Record<string, string> {
  return {
    "content-type": "application/json; utf-8",
    "user-agent": "APIs-Google; (+https://developers.google.com/webmasters/APIs-Google.html)",
    "x-goog-channel-id": channel.id,
    ...(channel.token !== undefined && { "x-goog-channel-token": channel.token }),
    "x-goog-channel-expiration": new Date(channel.expiration).toUTCString(),
    "x-goog-resource-id": channel.resourceId,
    "x-goog-resource-uri": channel.resourceUri,
    "x-goog-resource-state": state,
    "x-goog-message-number": String(channel.messages),
  };
}
