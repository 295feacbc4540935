import { down } from "@/server/providers/ask-json";
import type { HookNotice, HookRequest, Watch, Watching, WatchTarget } from "@/server/providers/connector";
import type { ApiResponse, GoogleApi } from "@/server/providers/google/api";
import { textOf } from "@/server/providers/json-values";

/** What is asked for; the response says for how long it is granted ("expiration"). */
const LIFE_S = 7 * 86_400;
/** Of calendars that Google generates, as of holidays and birthdays ("Push notifications are not supported by this resource"). */
const UNSUPPORTED = "pushNotSupportedForRequestedResource";

/** Notification channels ("Push notifications"): each is replaced before it ends, because none can be prolonged. */
export function googleWatching(api: GoogleApi): Watching {
  const start = async ({ calendarId, url, channel, secret }: WatchTarget): Promise<Watch | null> => {
    const path =
      calendarId === null
        ? "/users/me/calendarList/watch"
        : `/calendars/${encodeURIComponent(calendarId)}/events/watch`;
    const body = { id: channel, type: "web_hook", address: url, token: secret, params: { ttl: String(LIFE_S) } };
    const response = await api({ method: "POST", path, body, accepts: [400, 403] });
    return watchOf(channel, response);
  };
  const stop = async ({ channel, resource }: Watch): Promise<void> => {
    await api({ method: "POST", path: "/channels/stop", body: { id: channel, resourceId: resource } });
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

function watchOf(channel: string, { status, body, reason }: ApiResponse): Watch | null {
  if (status >= 400 && reason === UNSUPPORTED) return null;
  const resource = textOf(body.resourceId);
  const expiresAt = Number(body.expiration);
  if (status >= 400 || resource === null || !Number.isFinite(expiresAt)) throw down(`http_${status}`);
  return { channel, resource, expiresAt };
}

/** A notice has no body. The first one of a channel, `sync`, says only that it is open. */
export function readGoogleHook({ headers }: HookRequest): readonly HookNotice[] {
  const [channel, secret] = [headers.get("x-goog-channel-id"), headers.get("x-goog-channel-token")];
  const state = headers.get("x-goog-resource-state");
  if (!channel || !secret || (state !== "exists" && state !== "not_exists")) return [];
  return [{ channel, secret, kind: "changed" }];
}
