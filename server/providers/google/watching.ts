import { down } from "@/server/providers/ask-json";
import type { GoogleApi } from "@/server/providers/google/api";
import { textOf } from "@/server/providers/json-values";
import {
  type HookNotice,
  type HookRequest,
  noWatch,
  type Watch,
  type Watching,
  type WatchTarget,
} from "@/server/providers/watching";

/** What is asked for; the response says for how long it is granted ("expiration"). */
const LIFE_S = 7 * 86_400;

/**
 * Watches calendars through notification channels ("Push notifications"). Each channel is replaced before it ends,
 * because none can be prolonged.
 */
export function googleWatching(api: GoogleApi): Watching {
  const start: Watching["start"] = async ({ calendarId, url, channel, secret }: WatchTarget) => {
    const path =
      calendarId === null
        ? "/users/me/calendarList/watch"
        : `/calendars/${encodeURIComponent(calendarId)}/events/watch`;
    const body = { id: channel, type: "web_hook", address: url, token: secret, params: { ttl: String(LIFE_S) } };
    const accepts = ["no_watch", "never_watched"] as const;
    const { verdict, ...response } = await api({ kind: "open_watch", method: "POST", path, body, accepts });
    return verdict === null ? watchOf(channel, response.body) : noWatch(verdict, response.reason);
  };
  const stop = async ({ channel, resource }: Watch): Promise<void> => {
    const body = { id: channel, resourceId: resource };
    await api({ kind: "stop_watch", method: "POST", path: "/channels/stop", body, accepts: ["done"] });
  };
  return {
    start,
    stop,
    renew: async (watch, target) => {
      const fresh = await start(target);
      await stop(watch).catch(() => undefined); // it ends by itself, and its notices are harmless
      return fresh;
    },
  };
}

function watchOf(channel: string, { resourceId, expiration }: Record<string, unknown>): Watch {
  const resource = textOf(resourceId);
  const expiresAt = Number(expiration);
  if (resource === null || !Number.isFinite(expiresAt)) throw down("no_channel");
  return { channel, resource, expiresAt };
}

/** Reads a notice, which has no body. The first one of a channel, `sync`, says only that it is open. */
export function readGoogleHook({ headers }: HookRequest): readonly HookNotice[] {
  const [channel, secret] = [headers.get("x-goog-channel-id"), headers.get("x-goog-channel-token")];
  const state = headers.get("x-goog-resource-state");
  if (!channel || !secret || (state !== "exists" && state !== "not_exists")) return [];
  return [{ channel, secret, kind: "changed" }];
}
