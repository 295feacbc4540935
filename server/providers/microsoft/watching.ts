import { clock } from "@/server/clock";
import { down } from "@/server/providers/ask-json";
import { listOf, objectOf, textOf } from "@/server/providers/json-values";
import type { GraphApi } from "@/server/providers/microsoft/api";
import {
  type HookChallenge,
  type HookNotice,
  type HookRequest,
  noWatch,
  type Watch,
  type Watching,
  type WatchTarget,
} from "@/server/providers/watching";

/** "4,230 minutes", the least that any edition of the reference allows for events. Both clocks need not agree to the minute. */
const LIFE_MS = (4_230 - 10) * 60_000;

/** Watches calendars through subscriptions ("Set up notifications for changes in resource data"). The list of calendars has none. */
export function microsoftWatching(api: GraphApi): Watching {
  const start: Watching["start"] = async ({ calendarId, url, channel, secret }: WatchTarget) => {
    if (calendarId === null) return { refusedFor: null };
    const body = {
      ...{ changeType: "created,updated,deleted", resource: api.placed(`/me/calendars/${calendarId}/events`) },
      ...{ notificationUrl: url, lifecycleNotificationUrl: url, clientState: `${channel}.${secret}` },
      expirationDateTime: ending(),
    };
    const request = { kind: "open_watch", method: "POST", path: "/subscriptions", body } as const;
    const { verdict, ...response } = await api({ ...request, accepts: ["no_watch"] });
    return verdict === null ? watchOf(channel, response.body) : noWatch(verdict, response.reason);
  };
  const stop = async ({ resource }: Watch): Promise<void> => {
    await api({ kind: "stop_watch", method: "DELETE", path: pathOf(resource), accepts: ["done"] });
  };
  return {
    start,
    stop,
    /** One that notifies another address is replaced: "You also can't add the lifecycleNotificationUrl property" later. */
    renew: async (watch, target) => {
      const body = { expirationDateTime: ending() };
      const request = { kind: "renew_watch", method: "PATCH", path: pathOf(watch.resource), body } as const;
      const renewed = await api({ ...request, accepts: ["no_watch"] });
      if (renewed.verdict !== null) return noWatch(renewed.verdict, renewed.reason);
      const url = textOf(renewed.body.notificationUrl);
      if (url === null || url === target.url) return watchOf(watch.channel, renewed.body);
      const fresh = await start(target);
      await stop(watch).catch(() => undefined); // it ends by itself, and nobody reads its notices
      return fresh;
    },
  };
}

const pathOf = (subscription: string) => `/subscriptions/${encodeURIComponent(subscription)}`;
const ending = () => new Date(clock().now() + LIFE_MS).toISOString();

function watchOf(channel: string, { id, expirationDateTime }: Record<string, unknown>): Watch {
  const expiresAt = Date.parse(String(expirationDateTime));
  if (typeof id !== "string" || Number.isNaN(expiresAt)) throw down("no_subscription");
  return { channel, resource: id, expiresAt };
}

/** What a lifecycle notice asks for. `missed`: "some change notifications might not have been delivered". Any other may be a change. */
const lifecycle: Record<string, HookNotice["kind"]> = {
  reauthorizationRequired: "renew",
  subscriptionRemoved: "ended",
};

/** Reads a notice, which has our channel and its secret as `clientState`. "Respond … with the … decoded validation token". */
export function readMicrosoftHook({ query, body }: HookRequest): readonly HookNotice[] | HookChallenge {
  const challenge = query.get("validationToken");
  return challenge === null ? listOf(objectOf(parsed(body)).value).flatMap(noticeOf) : { challenge };
}

function noticeOf({ clientState, lifecycleEvent }: Record<string, unknown>): HookNotice[] {
  const [channel, secret] = typeof clientState === "string" ? clientState.split(".", 2) : [];
  if (!channel || !secret) return [];
  return [{ channel, secret, kind: lifecycle[String(lifecycleEvent)] ?? "changed" }];
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return null;
  }
}
