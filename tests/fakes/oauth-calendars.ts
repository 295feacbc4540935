import { createHash, randomBytes } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";

export interface StoredEvent {
  name: string;
  etag: string;
  /** Counts the calendar's changes. */
  change: number;
  /** Null: it was deleted. */
  state: unknown;
}

export interface OAuthCalendars {
  url: string;
  /** Every event of the only calendar, by its name. */
  events: Map<string, StoredEvent>;
  /** Somebody else changes an event, creates it or, with null, deletes it. */
  put(name: string, state: unknown): StoredEvent;
  /** How often a refresh token was exchanged, and how often one that was used up came again. */
  refreshes: { done: number; refused: number };
  /** Milliseconds that a refresh takes. */
  refreshMs: number;
  /** Seconds that an access token is good for, as the provider says. */
  tokenLifeS: number;
  /** No access token is accepted any more, whatever was said of its life. */
  endTokens(): void;
  /** The user takes back the connection. */
  revoke(): void;
  close(): Promise<void>;
}

/** A calendar provider behind OAuth: PKCE S256, refresh tokens that are good once, and one calendar whose changes are counted. */
export async function startOAuthCalendars(): Promise<OAuthCalendars> {
  const codes = new Map<string, string>();
  const accessTokens = new Set<string>();
  let refreshToken: string | null = null;
  let changes = 0;

  const server = createServer((req, res) => void answer(req, res).catch(() => res.writeHead(500).end()));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const provider: OAuthCalendars = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    events: new Map(),
    put: (name, state) => {
      changes += 1;
      const event = { name, etag: `"${changes}"`, change: changes, state };
      provider.events.set(name, event);
      return event;
    },
    refreshes: { done: 0, refused: 0 },
    refreshMs: 0,
    tokenLifeS: 3600,
    endTokens: () => accessTokens.clear(),
    revoke: () => {
      refreshToken = null;
      accessTokens.clear();
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };

  async function answer(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(req.url ?? "/", provider.url);
    if (pathname === "/authorize") return authorize(searchParams, res);
    if (pathname === "/token") return token(new URLSearchParams(await text(req)), res);
    if (!accessTokens.has((req.headers.authorization ?? "").replace("Bearer ", ""))) return send(res, 401, {});
    if (pathname === "/calendars") return send(res, 200, [{ id: "work", name: "Work", version: String(changes) }]);
    if (pathname === "/calendars/work/events") return list(searchParams.get("since"), res);
    await oneEvent(req, res, pathname.split("/").at(-1) ?? "");
  }

  function authorize(query: URLSearchParams, res: ServerResponse): void {
    const code = randomBytes(8).toString("hex");
    codes.set(code, query.get("code_challenge") ?? "");
    const back = new URL(query.get("redirect_uri") ?? "");
    back.search = `${new URLSearchParams({ code, state: query.get("state") ?? "" })}`;
    res.writeHead(302, { location: back.href }).end();
  }

  async function token(form: URLSearchParams, res: ServerResponse): Promise<void> {
    if (form.get("grant_type") === "authorization_code") {
      const code = form.get("code") ?? "";
      const challenge = createHash("sha256")
        .update(form.get("code_verifier") ?? "")
        .digest("base64url");
      const isGood = codes.get(code) === challenge;
      codes.delete(code);
      return isGood ? issue(res) : send(res, 400, { error: "invalid_grant" });
    }
    // Used up from the moment it arrives: there is no grace for another process that comes with it.
    const isGood = refreshToken !== null && form.get("refresh_token") === refreshToken;
    provider.refreshes[isGood ? "done" : "refused"] += 1;
    if (!isGood) return send(res, 400, { error: "invalid_grant" });
    refreshToken = null;
    await new Promise((resolve) => setTimeout(resolve, provider.refreshMs));
    issue(res);
  }

  function issue(res: ServerResponse): void {
    const access = randomBytes(12).toString("hex");
    accessTokens.add(access);
    refreshToken = randomBytes(12).toString("hex");
    const life = { token_type: "Bearer", expires_in: provider.tokenLifeS };
    send(res, 200, { access_token: access, refresh_token: refreshToken, ...life });
  }

  function list(since: string | null, res: ServerResponse): void {
    const from = since === null ? null : Number(since);
    const isKnown = from === null || from <= changes;
    if (!isKnown) {
      send(res, 410, {});
      return;
    }
    const all = [...provider.events.values()];
    const events =
      from === null ? all.filter(({ state }) => state !== null) : all.filter(({ change }) => change > from);
    send(res, 200, { events, next: String(changes) });
  }

  async function oneEvent(req: IncomingMessage, res: ServerResponse, name: string): Promise<void> {
    const known = provider.events.get(name);
    const isThere = known !== undefined && known.state !== null;
    const expected = req.headers["if-match"];
    if (expected !== undefined && !isThere) return send(res, 404, {});
    if (expected !== undefined && expected !== known?.etag) return send(res, 412, {});
    if (req.method === "DELETE") return send(res, 200, provider.put(name, null));
    if (req.method === "PUT") return send(res, 200, provider.put(name, JSON.parse(await text(req))));
    send(res, isThere ? 200 : 404, known ?? {});
  }

  return provider;
}

function send(res: ServerResponse, status: number, json: unknown): void {
  res.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(json));
}
