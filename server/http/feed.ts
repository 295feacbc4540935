import { isKnownTag } from "@/server/domain/entity-tags";
import type { QueueSlot } from "@/server/http/admission/queue";
import { bulkBytes } from "@/server/http/admission/slots";
import { anonymousContext } from "@/server/http/anonymous-context";
import { type Exchange, openExchange } from "@/server/http/exchange";
import { logFailure } from "@/server/http/log-failure";
import { processServices } from "@/server/http/process-services";
import { refusalOf } from "@/server/http/responses";
import { whenBusy } from "@/server/http/when-busy";
import { apiCaller } from "@/server/services/api";
import type { FeedVersion, FoundFeed } from "@/server/services/feeds/read";

/** A disconnected user reconnects in hours, if at all; a first sync takes minutes. */
const DISCONNECTED_SECONDS = 3_600;
const FIRST_SYNC_SECONDS = 60;
const TOKEN = /^([\w-]{43})\.ics$/;

/**
 * Serves GET /feeds/{token}.ics: a calendar feed, to whoever has its address. The address is a secret, so no log has
 * it: it is not in the request log, which is for the applications' requests.
 */
export async function feed(
  request: Request,
  { params }: { params: Promise<Record<string, string | string[] | undefined>> },
): Promise<Response> {
  const { token } = await params;
  const [, secret] = TOKEN.exec(String(token)) ?? [];
  const exchange = openExchange(request);
  const respond = reply(exchange);
  return secret === undefined ? respond(404) : whenBusy(() => inTurn(exchange, respond, secret));
}

interface Reading {
  secret: string;
  slot: QueueSlot;
}

type Respond = (status: number, headers?: Record<string, string>, body?: string) => Response;

function reply({ request, headers: common }: Exchange): Respond {
  return (status, headers = {}, body) =>
    new Response(request.method === "HEAD" ? null : (body ?? null), {
      status,
      headers: { ...common, "x-content-type-options": "nosniff", "x-robots-tag": "noindex", ...headers },
    });
}

/** Readers of feeds take their turns at the database as the requests of one application do, however many there are. */
async function inTurn(exchange: Exchange, respond: Respond, secret: string): Promise<Response> {
  const applicant = { applicationId: "feeds", accountId: null, writes: false };
  const slot = await processServices().admission.requests.enter(applicant);
  try {
    return await read(exchange, respond, { secret, slot });
  } catch (error) {
    if (refusalOf(error)) throw error;
    logFailure(error, "a calendar feed could not be read", exchange.requestId);
    return respond(500);
  } finally {
    slot.leave();
  }
}

async function read({ request, now }: Exchange, respond: Respond, { secret, slot }: Reading): Promise<Response> {
  const api = apiCaller(anonymousContext(now));
  const found = await api.feeds.find({ token: secret });
  if (!found) return respond(404);
  const take = await processServices().limiter.feed(found.feed.id);
  if (!take.allowed) return respond(429, { "retry-after": String(take.retryAfter) });
  const wait = unreadableFor(found);
  if (wait !== null) return respond(503, { "retry-after": String(wait) });
  const isUnchanged = isKnown(request.headers, found.version);
  const isHead = request.method === "HEAD";
  const { text, version } = await api.feeds.read({ found, isKnown: isUnchanged || isHead });
  slot.used({ bytes: bulkBytes(Buffer.byteLength(text)) });
  if (isUnchanged) return respond(304, versionHeaders(version));
  return respond(200, { ...versionHeaders(version), ...calendar }, text);
}

const calendar = {
  "content-type": "text/calendar; charset=utf-8",
  "content-disposition": 'inline; filename="calendar.ics"',
};

function versionHeaders({ etag, lastModified }: FeedVersion): Record<string, string> {
  const modified = new Date(lastModified).toUTCString();
  return { etag, "last-modified": modified, "cache-control": "private, no-cache" };
}

/**
 * Says for how many seconds a feed cannot be read. What is known of a calendar that is no longer synced, or not yet, is
 * not what is in it, and no reader could see that. Null: it can.
 */
function unreadableFor({ feed: { isConnected, isFirstSync, isDisabled } }: FoundFeed): number | null {
  if (!isConnected || isDisabled) return DISCONNECTED_SECONDS;
  return isFirstSync ? FIRST_SYNC_SECONDS : null;
}

/** Reports whether the reader has this version (RFC 9110 §13.1.3: a time counts only where no tag is named). */
function isKnown(headers: Exchange["request"]["headers"], { etag, lastModified }: FeedVersion): boolean {
  const tags = headers.get("if-none-match");
  if (tags !== null) return isKnownTag(tags, etag);
  const since = Date.parse(headers.get("if-modified-since") ?? "");
  return since >= lastModified;
}
