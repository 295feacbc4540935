import { createHash, randomBytes } from "node:crypto";
import { clock } from "@/server/clock";
import { providerTraits } from "@/server/domain/providers";
import type { RefreshedToken } from "@/server/providers/access-token";
import {
  type Connector,
  type Mailbox,
  type MailboxAccess,
  type OAuthSignIn,
  ProviderError,
} from "@/server/providers/connector";
import type { Watch, WatchTarget } from "@/server/providers/watching";
import { type Items, itemsWriting, pagesOf } from "./oauth-items";

/** The way to the provider of `startOAuthCalendars`, in the place of Google. */
export function oauthConnector(url: string): Connector & { signIn: OAuthSignIn } {
  return {
    traits: providerTraits.google,
    signIn: {
      kind: "oauth",
      begin: ({ redirectUri, state }) => {
        const secret = randomBytes(32).toString("base64url");
        const code_challenge = createHash("sha256").update(secret).digest("base64url");
        return {
          url: `${url}/authorize?${new URLSearchParams({ redirect_uri: redirectUri, state, code_challenge })}`,
          secret,
        };
      },
      finish: async ({ query, secret }) => {
        const code = query.get("code");
        if (code === null) return { problem: "denied" };
        const issued = await exchange(url, { grant_type: "authorization_code", code, code_verifier: secret });
        const { scopes, ...grant } = issued;
        if (!scopes.includes("calendars")) return { problem: "missing_scope" };
        return { subject: "anna", name: "anna@example.com", email: "anna@example.com", ...grant };
      },
      takeOver: async (credential) => {
        const issued = await exchange(url, { grant_type: "refresh_token", refresh_token: credential });
        return { subject: "anna", name: "anna@example.com", email: "anna@example.com", ...issued };
      },
      refresh: (credential) => exchange(url, { grant_type: "refresh_token", refresh_token: credential }),
      as() {
        return this;
      },
    },
    open: (access) => mailbox(url, access),
    readHook: ({ headers, query }) => {
      const challenge = query.get("challenge");
      if (challenge !== null) return { challenge };
      const [channel, secret, kind] = ["x-channel", "x-secret", "x-kind"].map((name) => headers.get(name));
      return channel && secret ? [{ channel, secret, kind: kind === "ended" ? "ended" : "changed" }] : [];
    },
    nameOf: (eventRow) => createHash("sha256").update(eventRow).digest("hex"),
  };
}

interface Listed {
  calendars: { id: string; name: string; makesLinks: boolean; version: string | null; isDeleted: boolean }[];
  next: string | null;
}

async function exchange(url: string, form: Record<string, string>): Promise<RefreshedToken & { scopes: string[] }> {
  const response = await fetch(`${url}/token`, { method: "POST", body: new URLSearchParams(form) });
  if (response.status >= 500) throw new ProviderError({ kind: "down" }, `http_${response.status}`);
  if (!response.ok) throw new ProviderError({ kind: "credentials_rejected" }, "invalid_grant");
  const issued = await response.json();
  const expiresAt = Date.now() + issued.expires_in * 1_000;
  return {
    credential: issued.refresh_token,
    token: { text: issued.access_token, expiresAt },
    scopes: issued.scope.split(" "),
  };
}

function mailbox(url: string, access: MailboxAccess): Mailbox {
  const ask = async (path: string, init: RequestInit = {}) => {
    const go = (token: string) =>
      fetch(`${url}${path}`, { ...init, headers: { ...init.headers, authorization: `Bearer ${token}` } });
    const token = await access.accessToken();
    const first = await go(token);
    const response = first.status === 401 ? await go(await access.accessToken(token)) : first;
    if (response.ok) return await response.json();
    throw new ProviderError(await faultOf(response), `http_${response.status}`);
  };
  const send = (path: string, init?: RequestInit) => ask(`/calendars${path}`, init);
  const watching = async (method: string, path: string, target: WatchTarget, known = ""): Promise<Watch> => {
    const { resource, isNew, lifeS } = await ask(`/watches${path}`, { method, body: JSON.stringify(target) });
    const expiresAt = clock().now() + lifeS * 1_000;
    return { channel: isNew ? target.channel : known, resource, expiresAt };
  };
  return {
    calendars: async (syncToken) => {
      const listed: Listed = await send(syncToken === null ? "" : `?since=${syncToken}`);
      const traits = { readonly: false, primary: true, tzid: null };
      const there = listed.calendars.filter(({ isDeleted }) => !isDeleted);
      return {
        calendars: there.map(({ id, name, version, makesLinks }) => ({
          ...{ externalId: id, name, ctag: version, integratedConferencing: makesLinks },
          ...traits,
        })),
        gone: syncToken === null ? null : listed.calendars.flatMap(({ id, isDeleted }) => (isDeleted ? [id] : [])),
        syncToken: listed.next,
      };
    },
    changes: async function* ({ calendarId, syncToken, window, known }) {
      const query = syncToken === null ? `from=${window.from}&to=${window.to}` : `since=${syncToken}`;
      const listed = await send(`/${calendarId}/events?${query}`);
      const page = await pagesOf(listed.events, known, async (name) => {
        const series: Items = await send(`/${calendarId}/events?series=${name}`);
        return series.events;
      });
      yield page;
      const present = syncToken === null ? new Set(page.events.map(({ externalId }) => externalId)) : null;
      return { syncToken: listed.next, present, window: listed.window, validUntil: null };
    },
    event: async () => ({ events: [], gone: [], faults: [] }),
    watch: {
      start: (target) => watching("POST", "", target),
      renew: ({ resource, channel }, target) => watching("PATCH", `/${resource}`, target, channel),
      stop: async ({ resource }) => {
        await ask(`/watches/${resource}`, { method: "DELETE" });
      },
    },
    revoke: async () => {
      await ask("/revoke", { method: "POST" });
    },
    ...itemsWriting(send),
    meetingLink: async ({ calendarId, externalId }) => {
      const { state } = await send(`/${calendarId}/events/${externalId}`);
      if (state.conferencing === null) return "failed";
      return state.conferencing.pending ? "pending" : state.conferencing;
    },
  };
}

async function faultOf(response: Response): Promise<ProviderError["fault"]> {
  const { status } = response;
  if (status === 429) {
    const { scope } = await response.json();
    const after = response.headers.get("retry-after");
    return { kind: "throttled", scope, after: after === null ? null : Number(after) * 1_000 };
  }
  if (status === 401) return { kind: "credentials_rejected" };
  if (status === 404) return { kind: "gone" };
  if (status === 410) return { kind: "sync_token_expired" };
  return status === 412 ? { kind: "conflict" } : { kind: "down" };
}
