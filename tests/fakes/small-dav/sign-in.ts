import { createHash, randomBytes } from "node:crypto";
import type { Login } from "../dav-server";
import type { FrontRequest } from "../forward";

/** How the server lets its user sign in. */
export interface SignIn {
  /** What it asks for, in its order. */
  schemes: readonly ("basic" | "digest" | "negotiate")[];
  /** Of Digest: an algorithm of RFC 7616 for each challenge; omitted in the challenge where it is "". */
  algorithms: readonly string[];
  qop: string | null;
  /** Asks for names as hashes. */
  userhash: boolean;
  /** After so many requests a nonce is stale. */
  usesOfNonce: number;
  /** Gives out the next nonce with each response. */
  givesNextNonce: boolean;
  /** A count that was used before is refused (RFC 7616 §3.3). */
  checksCount: boolean;
}

export const basicAlone: SignIn = {
  ...{ schemes: ["basic"], algorithms: ["SHA-256"], qop: "auth", userhash: false },
  ...{ usesOfNonce: Number.POSITIVE_INFINITY, givesNextNonce: false, checksCount: true },
};

const REALM = 'The "small" server';
const OPAQUE = "opaque==";
const names: Record<string, string> = { "": "md5", MD5: "md5", "SHA-256": "sha256", "SHA-512-256": "sha512-256" };

export interface SignInCheck {
  /** Null: the request is the user's. Otherwise the header of a 401. */
  challenge(asked: FrontRequest): string[] | null;
  /** Of a response to the request of the user. */
  info(): Record<string, string>;
  /** Every nonce is stale from now on. */
  forgetNonces(): void;
}

/** Checks requests of one user as RFC 7617 and RFC 7616 say. */
export function signInCheck(login: Login, signIn: SignIn): SignInCheck {
  const uses = new Map<string, { count: number; seen: Set<string> }>();
  const issue = () => {
    const nonce = randomBytes(12).toString("base64");
    uses.set(nonce, { count: 0, seen: new Set() });
    return nonce;
  };
  const offer = (isStale: boolean) =>
    signIn.schemes.flatMap((scheme) => {
      if (scheme === "basic") return `Basic realm="small"`;
      if (scheme === "negotiate") return "Negotiate";
      return signIn.algorithms.map((algorithm) =>
        [
          `Digest realm="${REALM.replaceAll('"', '\\"')}", nonce="${issue()}", opaque="${OPAQUE}"`,
          ...(signIn.qop === null ? [] : [`qop="${signIn.qop}"`]),
          ...(algorithm === "" ? [] : [`algorithm=${algorithm}`]),
          ...(signIn.userhash ? ["userhash=true"] : []),
          ...(isStale ? ["stale=true"] : []),
        ].join(", "),
      );
    });
  return {
    challenge: ({ method, path, headers, body }) => {
      const sent = String(headers.authorization ?? "");
      if (sent === "") return offer(false);
      if (sent.startsWith("Basic ")) {
        const isRight = sent === `Basic ${Buffer.from(`${login.user}:${login.password}`).toString("base64")}`;
        return isRight && signIn.schemes.includes("basic") ? null : offer(false);
      }
      const params = new Map(
        [...sent.matchAll(/([\w*]+)=(?:"((?:[^"\\]|\\.)*)"|([^\s,]+))/g)].map(([, name = "", quoted, plain = ""]) => [
          name,
          quoted?.replace(/\\(.)/g, "$1") ?? plain,
        ]),
      );
      const given = (name: string) => params.get(name) ?? "";
      const algorithm = given("algorithm");
      const isSession = /-sess$/.test(algorithm);
      const hash = (text: string) =>
        createHash(names[algorithm.replace(/-sess$/, "")] ?? "md5")
          .update(text)
          .digest("hex");
      const name = signIn.userhash
        ? hash(`${login.user}:${REALM}`)
        : decodeURIComponent(given("username*").replace(/^UTF-8''/, "")) || given("username");
      const isUser = signIn.userhash ? given("username") === name && given("userhash") === "true" : name === login.user;
      const own = hash(`${login.user}:${REALM}:${login.password}`);
      const secret = isSession ? hash(`${own}:${given("nonce")}:${given("cnonce")}`) : own;
      const what =
        given("qop") === "auth-int" ? `${method}:${path}:${hash(body.toString())}` : `${method}:${given("uri")}`;
      const middle = signIn.qop === null ? "" : `:${given("nc")}:${given("cnonce")}:${given("qop")}`;
      const expected = hash(`${secret}:${given("nonce")}${middle}:${hash(what)}`);
      const isRight =
        isUser &&
        given("uri") === path &&
        given("response") === expected &&
        given("opaque") === OPAQUE &&
        given("realm") === REALM &&
        signIn.schemes.includes("digest") &&
        signIn.algorithms.includes(algorithm) &&
        (signIn.qop === null || signIn.qop.split(/,\s*/).includes(given("qop")));
      if (!isRight) return offer(false);
      const nonce = uses.get(given("nonce"));
      if (!nonce || nonce.count >= signIn.usesOfNonce || (signIn.checksCount && nonce.seen.has(given("nc"))))
        return offer(true);
      nonce.count += 1;
      nonce.seen.add(given("nc"));
      return null;
    },
    info: (): Record<string, string> =>
      signIn.givesNextNonce ? { "authentication-info": `nextnonce="${issue()}"` } : {},
    forgetNonces: () => uses.clear(),
  };
}
