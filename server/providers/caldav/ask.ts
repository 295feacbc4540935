import { parsedUrl } from "@/server/domain/net/parsed-url";
import { EgressFailure } from "@/server/egress/failure";
import { AnswerTooLong, type EgressFetch } from "@/server/egress/fetch";
import {
  type Authorization,
  authorizationHeader,
  knownAuthorization,
  type Login,
  nextAuthorization,
  type SignInScheme,
  takeNextNonce,
} from "@/server/providers/caldav/authentication";
import { decodedPieces } from "@/server/providers/caldav/decoded-pieces";
import {
  type Multistatus,
  type MultistatusReader,
  multistatusReader,
} from "@/server/providers/caldav/multistatus-reader";
import { linkedAddress, mayFollow } from "@/server/providers/caldav/site";
import { ProviderError, UNSUPPORTED_SIGN_IN } from "@/server/providers/connector";
import { retryAfter } from "@/server/providers/retry-after";

export interface CaldavRequest {
  method: "OPTIONS" | "PROPFIND" | "REPORT" | "GET" | "PUT" | "DELETE";
  url: string;
  headers?: Record<string, string>;
  body?: string;
  /** The properties requested from a multistatus, which are all that is kept of the response. */
  props?: readonly string[];
  /** The size limit of the response in bytes, if it is not the usual one. */
  mostBytes?: number;
  /** Leaves out of a long text what need not be kept of it, while it arrives. */
  shorten?: (text: string) => string;
}

export interface CaldavResponse {
  /** `TOO_LONG` for a response over the size limit. */
  status: number;
  headers: Headers;
  text: string;
  /** The multistatus, if `props` were requested and the status is 207. Null: it is broken. `text` is empty then. */
  multistatus?: Multistatus | null;
  /** The address after all redirects: the hrefs in the response are relative to it. */
  url: string;
  /** How the request was signed in. Omitted: the server has not asked. */
  scheme?: SignInScheme;
}

export interface CaldavTransport {
  fetch: EgressFetch;
  /** The origins that the operator configured. */
  origins: readonly string[];
  /** Sites whose hosts have one owner. */
  sites?: readonly string[];
}

/** The status of a response that was not read to its end. */
export const TOO_LONG = 0;

const MULTI_STATUS = 207;
/** A calendar's listing is read while it arrives, a resource may be one of ours, and everything else is short. */
const MOST_BYTES = { multistatus: 32 * 1024 * 1024, resource: 16 * 1024 * 1024, other: 1024 * 1024 };
const MOST_HOPS = 3;
/** How often a request is signed in anew: as the server asks, and with a newer nonce. */
const MOST_CHALLENGES = 3;
const redirects = new Set([301, 302, 307, 308]);
const outages = new Set([408, 502, 503, 504]);

/**
 * Sends one request as the account and follows at most three redirects to other hosts. Returns the response whatever
 * its status, but throws `credentials_rejected` for 401 (at once: sync confirms it with a second request after a
 * while), `throttled` for 429 and for 503 with Retry-After, and `down` for no response, an outage, a redirect to a host
 * that must not get the password, or a server that wants neither Basic nor Digest.
 */
export async function ask(transport: CaldavTransport, login: Login, request: CaldavRequest): Promise<CaldavResponse> {
  let url = request.url;
  for (let hops = 0; hops <= MOST_HOPS; hops += 1) {
    if (!mayFollow(new URL(url), transport.origins, transport.sites)) throw down("led_elsewhere");
    const answer = await signedIn(transport, login, { ...request, url });
    const to = answer.headers.get("location");
    if (!redirects.has(answer.status) || to === null) return usable(answer);
    const next = parsedUrl(to, url);
    if (!next) throw down("led_nowhere");
    url = next.href;
  }
  throw down("too_many_hops");
}

export function down(detail: string): ProviderError {
  return new ProviderError({ kind: "down" }, detail);
}

/**
 * Sends a request, signed in as its server asks, and returns the response. A password is sent to a server only if it
 * asks for one.
 */
async function signedIn(transport: CaldavTransport, login: Login, request: CaldavRequest): Promise<CaldavResponse> {
  let used = knownAuthorization(login, request.url);
  let answer = await answerOf(transport, withHeaders(request, login, used));
  for (let tries = 0; tries < MOST_CHALLENGES && answer.status === 401; tries += 1) {
    const next = nextAuthorization(answer.headers, login, { url: request.url, used, isAsAsked: tries > 0 });
    if (next === "unsupported") throw down(UNSUPPORTED_SIGN_IN);
    if (next === "rejected") break;
    used = next;
    answer = await answerOf(transport, withHeaders(request, login, used));
  }
  takeNextNonce(answer.headers, used);
  return used ? { ...answer, scheme: used.scheme } : answer;
}

function withHeaders(request: CaldavRequest, login: Login, used: Authorization | null) {
  const headers: Record<string, string> = { "user-agent": "Almanac", ...request.headers };
  if (used) headers.authorization = authorizationHeader(used, login, request);
  return { ...request, headers };
}

async function answerOf(
  transport: CaldavTransport,
  { url, method, headers, body, ...limits }: CaldavRequest & { headers: Record<string, string> },
): Promise<CaldavResponse> {
  const { fetch } = transport;
  const { takerOf, end } = readers(transport, url, limits);
  const kind = limits.props ? "multistatus" : method === "GET" ? "resource" : "other";
  const mostBytes = limits.mostBytes ?? MOST_BYTES[kind];
  try {
    const response = await fetch(url, { method, headers, body, mostBytes, takerOf });
    return { status: response.status, headers: response.headers, url, ...(await end()) };
  } catch (error) {
    const { isRefused } = await end();
    if (isRefused) return { status: MULTI_STATUS, headers: new Headers(), text: "", multistatus: null, url };
    if (error instanceof AnswerTooLong) return { status: TOO_LONG, headers: new Headers(), text: "", url };
    if (error instanceof EgressFailure) throw down(error.errorClass);
    throw error;
  }
}

/** Reads a body while it arrives: the requested multistatus, otherwise a text. */
function readers(
  transport: CaldavTransport,
  url: string,
  { props, shorten }: Pick<CaldavRequest, "props" | "shorten">,
) {
  const utf8 = decodedPieces();
  let body = longText(shorten);
  let multistatus: MultistatusReader | null = null;
  let isRefused = false;
  const takerOf = (status: number) => {
    body = longText(shorten);
    if (status !== MULTI_STATUS || !props) return (piece: Buffer) => void body.add(utf8.take(piece));
    const reader = multistatusReader(url, props, (href) => linkedAddress(href, url, transport));
    multistatus = reader;
    return (piece: Buffer) =>
      reader.take(piece).catch((error) => {
        isRefused = true;
        throw error;
      });
  };
  const end = async () => {
    body.add(utf8.end());
    const text = body.whole();
    const read = await multistatus?.end();
    return { text, isRefused, ...(read !== undefined && { multistatus: read }) };
  };
  return { takerOf, end };
}

const SHORTENED_AT = 512 * 1024;

function longText(shorten: CaldavRequest["shorten"]) {
  let parts: string[] = [];
  let [length, mostLength] = [0, SHORTENED_AT];
  return {
    add(part: string): void {
      parts.push(part);
      length += part.length;
      if (!shorten || length < mostLength) return;
      parts = [shorten(parts.join(""))];
      length = parts[0]?.length ?? 0;
      mostLength = length + SHORTENED_AT;
    },
    whole: () => parts.join(""),
  };
}

function usable(answer: CaldavResponse): CaldavResponse {
  const { status, headers } = answer;
  if (status === 401) throw new ProviderError({ kind: "credentials_rejected" }, "http_401");
  const after = retryAfter(headers);
  if (status === 429 || (status === 503 && after !== null)) {
    throw new ProviderError({ kind: "throttled", after, scope: "request" }, `http_${status}`);
  }
  if (outages.has(status)) throw down(`http_${status}`);
  return answer;
}
