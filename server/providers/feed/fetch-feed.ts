import { checkCallbackUrl } from "@/server/domain/channels/callback-url";
import { parsedUrl } from "@/server/domain/net/parsed-url";
import { MAX_SUBSCRIBED_BYTES } from "@/server/domain/subscriptions";
import { EgressFailure } from "@/server/egress/failure";
import { AnswerTooLong, type EgressFetch } from "@/server/egress/fetch";
import { ProviderError } from "@/server/providers/connector";
import { DecompressedTooLong, decodedText, decompressed } from "@/server/providers/feed/decode";
import { unusable } from "@/server/providers/feed/unusable";
import { retryAfter } from "@/server/providers/retry-after";

export interface FeedRequest {
  fetch: EgressFetch;
  /** Origins that are allowed although they are not public. */
  allowedOrigins: readonly string[];
  /** What the last response said of its version. Null: the content is wanted in any case. */
  known: Validators | null;
}

export interface Validators {
  etag: string | null;
  lastModified: string | null;
}

export type FeedResponse =
  | { kind: "content"; text: string; validators: Validators }
  | { kind: "unchanged" }
  | { kind: "gone" };

const MOST_REDIRECTS = 5;
const redirects = new Set([301, 302, 303, 307, 308]);
const ACCEPT = "text/calendar, text/plain;q=0.5, */*;q=0.1";
/** Longer ones would grow every request. */
const LONGEST_VALIDATOR = 500;

/**
 * Requests a feed and follows at most five redirects, each judged like the first address. What the response says of its
 * type is ignored: many feeds are sent as text or as a file. Throws `unusable` for an address that isn't allowed and for
 * too much content, `refused` for 401 and 403, `throttled` for 429 and 503 with Retry-After, and `down` for everything
 * else. No error names the address.
 */
export async function fetchFeed(url: string, request: FeedRequest): Promise<FeedResponse> {
  let address = url;
  for (let hops = 0; hops <= MOST_REDIRECTS; hops += 1) {
    if (checkCallbackUrl(address, request.allowedOrigins) !== null) throw unusable("feed_address_refused");
    const response = await responseOf(address, request);
    const location = response.headers.get("location");
    if (!redirects.has(response.status) || location === null) return await contentOf(response, request);
    const next = parsedUrl(location.replace(/^webcals?:\/\//i, "https://"), address);
    if (!next) throw down("bad_redirect");
    next.hash = "";
    address = next.href;
  }
  throw down("too_many_redirects");
}

async function responseOf(address: string, { fetch, known }: FeedRequest): Promise<Response> {
  const headers = {
    ...{ accept: ACCEPT, "user-agent": "Almanac" },
    ...(known?.etag && { "if-none-match": known.etag }),
    ...(known?.lastModified && { "if-modified-since": known.lastModified }),
  };
  try {
    return await fetch(address, { method: "GET", headers });
  } catch (error) {
    if (error instanceof AnswerTooLong) throw unusable("feed_too_large");
    if (!(error instanceof EgressFailure)) throw error;
    if (error.errorClass === "blocked") throw unusable("feed_address_refused");
    throw down(error.errorClass);
  }
}

async function contentOf(response: Response, { known }: FeedRequest): Promise<FeedResponse> {
  const { status, headers } = response;
  if (status === 304 && known !== null) return { kind: "unchanged" };
  if (status === 404 || status === 410) return { kind: "gone" };
  if (status === 401 || status === 403) throw new ProviderError({ kind: "refused" }, `http_${status}`);
  const after = retryAfter(headers);
  if (status === 429 || (status === 503 && after !== null)) {
    throw new ProviderError({ kind: "throttled", after, scope: "mailbox" }, `http_${status}`);
  }
  if (status !== 200) throw down(`http_${status}`);
  const text = await textOf(response);
  return {
    kind: "content",
    text,
    validators: { etag: validator(headers, "etag"), lastModified: validator(headers, "last-modified") },
  };
}

async function textOf(response: Response): Promise<string> {
  const body = Buffer.from(await response.arrayBuffer());
  const bytes = await decompressed(body, response.headers.get("content-encoding"), MAX_SUBSCRIBED_BYTES).catch(
    (error) => {
      throw error instanceof DecompressedTooLong ? unusable("feed_too_large") : error;
    },
  );
  if (bytes === null) throw unusable("not_a_calendar");
  const [, charset = null] = /;\s*charset\s*=\s*"?([\w.:-]+)/i.exec(response.headers.get("content-type") ?? "") ?? [];
  return decodedText(bytes, charset);
}

function validator(headers: Headers, name: string): string | null {
  const value = headers.get(name);
  return value !== null && value.length <= LONGEST_VALIDATOR ? value : null;
}

function down(detail: string): ProviderError {
  return new ProviderError({ kind: "down" }, detail);
}
