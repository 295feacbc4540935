import { authenticationInfo, type Challenge, challengesOf } from "@/server/providers/caldav/challenges";
import { type DigestSession, digestSession, signedByDigest } from "@/server/providers/caldav/digest";
import { recentEntries } from "@/server/recent-entries";

/** How a server lets an account sign in. */
export const signInSchemes = ["basic", "digest"] as const;
export type SignInScheme = (typeof signInSchemes)[number];

export interface Login {
  username: string;
  password: string;
  /** What the server has asked for before. Null: unknown, so it is asked without the password first. */
  scheme: SignInScheme | null;
}

/** How one request is signed in. */
export type Authorization = { scheme: "basic" } | { scheme: "digest"; session: DigestSession };

interface RequestToSign {
  method: string;
  url: string;
  body?: string;
}

const MOST_SESSIONS = 10_000;
/** Sessions that may be used again, so that most requests need one round trip, by origin and user. */
const sessions = recentEntries<DigestSession>(MOST_SESSIONS);

/** Tells how to sign in without asking first. Null: the server has to say how. */
export function knownAuthorization(login: Login, url: string): Authorization | null {
  const session = sessions.get(keyOf(login, url));
  if (session) return { scheme: "digest", session };
  return login.scheme === "basic" ? { scheme: "basic" } : null;
}

/** Gives the value of the header. */
export function authorizationHeader(used: Authorization, login: Login, request: RequestToSign): string {
  if (used.scheme === "digest") return signedByDigest(used.session, login, request);
  return `Basic ${Buffer.from(`${login.username}:${login.password}`).toString("base64")}`;
}

interface Refused {
  url: string;
  /** How the request was signed in. Null: not at all. */
  used: Authorization | null;
  /** It was signed in as the server had just asked. */
  isAsAsked: boolean;
}

/**
 * Tells how to sign in after a 401. `rejected`: the server does not accept the credentials. `unsupported`: it has not seen them, and asks for
 * what this client cannot do.
 */
export function nextAuthorization(
  headers: Headers,
  login: Login,
  { url, used, isAsAsked }: Refused,
): Authorization | "rejected" | "unsupported" {
  const challenges = challengesOf(headers);
  const session = challenges.map(digestSession).find((one) => one !== null);
  // Over https a password that is sent is as safe as one that is not.
  const prefersBasic = url.startsWith("https:") || !session;
  const isBasic = challenges.length === 0 || challenges.some(({ scheme }) => scheme === "basic");
  if (isBasic && prefersBasic) return used?.scheme === "basic" ? "rejected" : { scheme: "basic" };
  if (!session) return used ? "rejected" : "unsupported";
  if (used?.scheme === "digest" && isAsAsked && !isStale(challenges)) return "rejected";
  sessions.set(keyOf(login, url), session);
  return { scheme: "digest", session };
}

/** Takes the nonce that the server gives out for the next request (RFC 7616 §3.5). */
export function takeNextNonce(headers: Headers, used: Authorization | null): void {
  const nonce = used?.scheme === "digest" ? authenticationInfo(headers).get("nextnonce") : undefined;
  if (used?.scheme === "digest" && nonce) Object.assign(used.session, { nonce, count: 0 });
}

/** Reports whether the server says that the nonce is too old, whatever the credentials are. */
function isStale(challenges: readonly Challenge[]): boolean {
  return challenges.some(({ params }) => params.get("stale")?.toLowerCase() === "true");
}

function keyOf({ username }: Login, url: string): string {
  return `${new URL(url).origin} ${username}`;
}
