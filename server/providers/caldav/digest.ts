import { createHash, randomBytes } from "node:crypto";
import type { Challenge } from "@/server/providers/caldav/challenges";

/** What a server lets us sign with until it asks for another nonce (RFC 7616 §3.3). */
export interface DigestSession {
  realm: string;
  nonce: string;
  opaque: string | null;
  /** As the server writes it. Null: it names none, which is MD5. */
  algorithm: string | null;
  qop: "auth" | "auth-int" | null;
  /** The user's name is sent as a hash. */
  userhash: boolean;
  cnonce: string;
  /** How many requests were signed with this nonce. */
  count: number;
}

interface RequestToSign {
  method: string;
  url: string;
  body?: string;
}

const hashes: Readonly<Record<string, string>> = { md5: "md5", "sha-256": "sha256", "sha-512-256": "sha512-256" };

/** Gives a session for a challenge. Null: it is no Digest, or one of an algorithm or a protection that this client does not have. */
export function digestSession({ scheme, params }: Challenge): DigestSession | null {
  const [realm, nonce, algorithm] = ["realm", "nonce", "algorithm"].map((name) => params.get(name) ?? null);
  if (scheme !== "digest" || nonce == null || hashOf(algorithm ?? null) === null) return null;
  const offered =
    params
      .get("qop")
      ?.toLowerCase()
      .split(/[\s,]+/) ?? [];
  const qop = offered.includes("auth") ? "auth" : offered.includes("auth-int") ? "auth-int" : null;
  if (qop === null && offered.some((one) => one !== "")) return null;
  return {
    ...{ realm: realm ?? "", nonce, opaque: params.get("opaque") ?? null, algorithm: algorithm ?? null, qop },
    userhash: params.get("userhash")?.toLowerCase() === "true",
    cnonce: randomBytes(16).toString("hex"),
    count: 0,
  };
}

/** Gives the value of Authorization for a request. Counts the request. */
export function signedByDigest(
  session: DigestSession,
  { username, password }: { username: string; password: string },
  request: RequestToSign,
): string {
  const { realm, nonce, opaque, algorithm, qop, userhash, cnonce } = session;
  const hash = hasherOf(algorithm);
  const { pathname, search } = new URL(request.url);
  const uri = pathname + search;
  session.count += 1;
  const nc = session.count.toString(16).padStart(8, "0");
  const login = hash(`${username}:${realm}:${password}`);
  const secret = isSession(algorithm) ? hash(`${login}:${nonce}:${cnonce}`) : login;
  const what = `${request.method}:${uri}`;
  const hashed = hash(qop === "auth-int" ? `${what}:${hash(request.body ?? "")}` : what);
  const response = hash([secret, nonce, ...(qop ? [nc, cnonce, qop] : []), hashed].join(":"));
  const params = [
    ...userParams(username, { realm, userhash, hash }),
    ...[`realm=${quoted(realm)}`, `nonce=${quoted(nonce)}`, `uri=${quoted(uri)}`, `response="${response}"`],
    ...(algorithm === null ? [] : [`algorithm=${algorithm}`]),
    ...(opaque === null ? [] : [`opaque=${quoted(opaque)}`]),
    ...(qop ? [`qop=${qop}`, `nc=${nc}`] : []),
    ...(qop || isSession(algorithm) ? [`cnonce="${cnonce}"`] : []),
  ];
  return `Digest ${params.join(", ")}`;
}

function userParams(
  username: string,
  { realm, userhash, hash }: Pick<DigestSession, "realm" | "userhash"> & { hash: (text: string) => string },
): string[] {
  if (userhash) return [`username="${hash(`${username}:${realm}`)}"`, "userhash=true"];
  // Header fields are ASCII: other names have a form of their own (RFC 7616 §3.4.1).
  if (/^[\x20-\x7e]*$/.test(username)) return [`username=${quoted(username)}`];
  return [
    `username*=UTF-8''${encodeURIComponent(username).replace(/['()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`)}`,
  ];
}

function quoted(text: string): string {
  return `"${text.replace(/["\\]/g, "\\$&")}"`;
}

function isSession(algorithm: string | null): boolean {
  return algorithm?.toLowerCase().endsWith("-sess") ?? false;
}

function hashOf(algorithm: string | null): string | null {
  return hashes[(algorithm ?? "md5").toLowerCase().replace(/-sess$/, "")] ?? null;
}

function hasherOf(algorithm: string | null): (text: string) => string {
  const name = hashOf(algorithm) ?? "md5";
  return (text) => createHash(name).update(text).digest("hex");
}
