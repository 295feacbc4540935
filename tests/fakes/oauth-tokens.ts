import { createHash, randomBytes } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { text } from "node:stream/consumers";

export interface OAuthTokens {
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
  /** What the user does on the provider's page. */
  consent: "given" | "without calendars" | "denied";
  /** How often a code was exchanged, with success or not. */
  exchanges: number;
  /** The status of every response to an exchange. Null: as it should be. */
  failsWith: number | null;
}

/** The sign-in of a provider: PKCE S256, and refresh tokens that are good once. */
export function oauthTokens() {
  const codes = new Map<string, string>();
  const accessTokens = new Set<string>();
  const refreshTokens = new Set<string>();
  const tokens: OAuthTokens = {
    refreshes: { done: 0, refused: 0 },
    refreshMs: 0,
    tokenLifeS: 3600,
    consent: "given",
    exchanges: 0,
    failsWith: null,
    endTokens: () => accessTokens.clear(),
    revoke: () => {
      refreshTokens.clear();
      accessTokens.clear();
    },
  };

  function authorize(query: URLSearchParams, res: ServerResponse): void {
    const back = new URL(query.get("redirect_uri") ?? "");
    const state = query.get("state") ?? "";
    if (tokens.consent === "denied") {
      back.search = `${new URLSearchParams({ error: "access_denied", state })}`;
      res.writeHead(302, { location: back.href }).end();
      return;
    }
    const code = randomBytes(8).toString("hex");
    codes.set(code, query.get("code_challenge") ?? "");
    back.search = `${new URLSearchParams({ code, state })}`;
    res.writeHead(302, { location: back.href }).end();
  }

  async function token(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const form = new URLSearchParams(await text(req));
    if (form.get("grant_type") === "authorization_code") {
      tokens.exchanges += 1;
      if (tokens.failsWith !== null) return send(res, tokens.failsWith, {});
      const code = form.get("code") ?? "";
      const challenge = createHash("sha256")
        .update(form.get("code_verifier") ?? "")
        .digest("base64url");
      const isGood = codes.get(code) === challenge;
      codes.delete(code);
      return isGood ? issue(res) : send(res, 400, { error: "invalid_grant" });
    }
    // Used up from the moment it arrives: there is no grace for another process that comes with it.
    const isGood = refreshTokens.delete(form.get("refresh_token") ?? "");
    tokens.refreshes[isGood ? "done" : "refused"] += 1;
    if (!isGood) return send(res, 400, { error: "invalid_grant" });
    await new Promise((resolve) => setTimeout(resolve, tokens.refreshMs));
    issue(res);
  }

  function issue(res: ServerResponse): void {
    const access = randomBytes(12).toString("hex");
    accessTokens.add(access);
    const refreshToken = randomBytes(12).toString("hex");
    refreshTokens.add(refreshToken);
    const life = { token_type: "Bearer", expires_in: tokens.tokenLifeS };
    const scope = tokens.consent === "given" ? "profile calendars" : "profile";
    send(res, 200, { access_token: access, refresh_token: refreshToken, scope, ...life });
  }

  const isSignedIn = ({ headers }: IncomingMessage) =>
    accessTokens.has((headers.authorization ?? "").replace("Bearer ", ""));
  return { tokens, authorize, token, isSignedIn };
}

export function send(res: ServerResponse, status: number, json: unknown, headers: Record<string, string> = {}): void {
  res.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(json));
}
