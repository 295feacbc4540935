import { createHash, createSign, generateKeyPairSync, randomBytes } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";

export interface Issuer {
  /** The issuer's address. */
  url: string;
  clientId: string;
  clientSecret: string;
  /** Whoever is signed in there. */
  person: Record<string, unknown>;
  /** Claims that only the userinfo endpoint tells. */
  onlyAsked: string[];
  /** What ID tokens say otherwise than they should. */
  forged: Record<string, unknown>;
  /** Signs with a key that it has not published. */
  hasStrangeKey: boolean;
  close(): Promise<void>;
}

interface Grant {
  challenge: string;
  nonce: string | null;
  redirectUri: string;
}

const published = generateKeyPairSync("rsa", { modulusLength: 2048 });
const strange = generateKeyPairSync("rsa", { modulusLength: 2048 });

/** An OpenID Connect issuer (authorization code, PKCE S256, RS256) that knows one client and lets its one person in at once. */
export async function issuer(): Promise<Issuer> {
  const grants = new Map<string, Grant>();
  const server = createServer((req, res) => void answer(req, res).catch(() => res.writeHead(500).end()));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const state: Issuer = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    clientId: "almanac-staff",
    clientSecret: randomBytes(16).toString("hex"),
    person: {},
    onlyAsked: [],
    forged: {},
    hasStrangeKey: false,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };

  async function answer(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(req.url ?? "/", state.url);
    if (pathname === "/.well-known/openid-configuration") return send(res, 200, discovery(state.url));
    if (pathname === "/jwks")
      return send(res, 200, {
        keys: [{ ...published.publicKey.export({ format: "jwk" }), kid: "one", alg: "RS256", use: "sig" }],
      });
    if (pathname === "/authorize") return authorize(searchParams, res);
    if (pathname === "/token") return token(req, res);
    if (pathname === "/userinfo") return userinfo(req, res);
    send(res, 404, {});
  }

  function authorize(query: URLSearchParams, res: ServerResponse): void {
    const sound =
      query.get("client_id") === state.clientId &&
      query.get("response_type") === "code" &&
      query.get("code_challenge_method") === "S256" &&
      query.get("scope")?.split(" ").includes("openid");
    if (!sound) {
      send(res, 400, { error: "invalid_request" });
      return;
    }
    const code = randomBytes(12).toString("hex");
    const back = new URL(query.get("redirect_uri") ?? "");
    grants.set(code, {
      challenge: query.get("code_challenge") ?? "",
      nonce: query.get("nonce"),
      redirectUri: back.href,
    });
    back.searchParams.set("code", code);
    back.searchParams.set("state", query.get("state") ?? "");
    res.writeHead(302, { location: back.href }).end();
  }

  async function token(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const form = new URLSearchParams(await text(req));
    const basic = Buffer.from(`${state.clientId}:${state.clientSecret}`).toString("base64");
    if (req.headers.authorization !== `Basic ${basic}`) return send(res, 401, { error: "invalid_client" });
    const code = form.get("code") ?? "";
    const grant = grants.get(code);
    grants.delete(code);
    const proof = createHash("sha256")
      .update(form.get("code_verifier") ?? "")
      .digest("base64url");
    if (!grant || proof !== grant.challenge || form.get("redirect_uri") !== grant.redirectUri) {
      return send(res, 400, { error: "invalid_grant" });
    }
    send(res, 200, { access_token: "at", token_type: "Bearer", expires_in: 60, id_token: idToken(grant.nonce) });
  }

  function userinfo(req: IncomingMessage, res: ServerResponse): void {
    if (req.headers.authorization !== "Bearer at") send(res, 401, {});
    else send(res, 200, { sub: "person-1", ...state.person });
  }

  function idToken(nonce: string | null): string {
    const told = Object.entries(state.person).filter(([name]) => !state.onlyAsked.includes(name));
    const now = Math.floor(Date.now() / 1000);
    const claims = {
      iss: state.url,
      aud: state.clientId,
      sub: "person-1",
      iat: now,
      exp: now + 60,
      nonce,
      ...Object.fromEntries(told),
      ...state.forged,
    };
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
    const signed = `${part({ alg: "RS256", kid: "one" })}.${part(claims)}`;
    const { privateKey } = state.hasStrangeKey ? strange : published;
    return `${signed}.${createSign("sha256").update(signed).sign(privateKey).toString("base64url")}`;
  }

  return state;
}

function discovery(url: string): object {
  return {
    issuer: url,
    authorization_endpoint: `${url}/authorize`,
    token_endpoint: `${url}/token`,
    userinfo_endpoint: `${url}/userinfo`,
    jwks_uri: `${url}/jwks`,
    response_types_supported: ["code"],
    subject_types_supported: ["public"],
    id_token_signing_alg_values_supported: ["RS256"],
  };
}

function send(res: ServerResponse, status: number, value: object): void {
  res.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(value));
}
