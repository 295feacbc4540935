import { microsoftVerdicts } from "@/server/domain/provider-responses/microsoft";
import { type RequestKind, type Verdict, verdictOf } from "@/server/domain/provider-responses/verdicts";
import type { EgressFetch } from "@/server/egress/fetch";
import { askJson, down, type JsonResponse } from "@/server/providers/ask-json";
import type { MailboxAccess } from "@/server/providers/connector";
import { objectOf } from "@/server/providers/json-values";
import { wordsOf } from "@/server/providers/microsoft/error-words";
import { countedRequest } from "@/server/providers/request-counts";
import { verdictError } from "@/server/providers/verdict-fault";

export interface GraphRequest {
  /** What it is for, which decides what its response means. */
  kind: RequestKind;
  method?: "GET" | "POST" | "PATCH" | "DELETE";
  /**
   * Below /v1.0, or a whole link that Graph has given: the next page, or a delta token. `/me` is the mailbox that is
   * opened, also if its organization opens it.
   */
  path: string;
  query?: Record<string, string | number | boolean | null | undefined>;
  body?: object;
  /** The request is for this version alone. */
  etag?: string | null;
  /** Beside immutable ids, such as `outlook.body-content-type="text"`. */
  prefer?: readonly string[];
  /** Verdicts that are given back. Every other one is thrown. */
  accepts?: readonly Verdict[];
}

export interface GraphResponse {
  /** Null: a success. */
  verdict: Verdict | null;
  body: Record<string, unknown>;
  /** Of an error: its status and Graph's word for it, such as `http_404_ErrorItemNotFound`. */
  reason: string;
}

export interface GraphApi {
  (request: GraphRequest): Promise<GraphResponse>;
  /** Gives a path of a request as it is sent. */
  placed(path: string): string;
}

/** Ids that stay when an event moves to another calendar ("Obtain immutable identifiers for Outlook resources"): of all requests, or of none. */
const IMMUTABLE_IDS = 'IdType="ImmutableId"';
const bodiless = new Set([202, 204]);

interface GraphAccess extends Pick<MailboxAccess, "accessToken" | "spend"> {
  /** Who is counted as asked. Omitted: Microsoft 365. */
  provider?: "microsoft" | "outlook";
  /** The object id of the user whose mailbox an organization opens: an app has no `/me`. Omitted: who has signed in. */
  user?: string;
}

/** Requests to Graph with an access token. One that Graph rejects is replaced once. */
export function graphApi(fetch: EgressFetch, base: string, access: GraphAccess): GraphApi {
  const { user } = access;
  const placed = (path: string) =>
    user === undefined ? path : path.replace(/^\/me(?=[/?]|$)/, `/users/${encodeURIComponent(user)}`);
  const call = async (request: GraphRequest): Promise<GraphResponse> => {
    const url = urlOf(base, { ...request, path: placed(request.path) });
    const { method = "GET", body } = request;
    const send = async (token: string) => {
      await access.spend?.(requestsIn(request));
      const asking = askJson(fetch, url, {
        method,
        headers: { authorization: `Bearer ${token}`, "user-agent": "Almanac", ...headersOf(request) },
        ...(body && { body: JSON.stringify(body) }),
      });
      const about = { provider: access.provider ?? "microsoft", kind: request.kind };
      return (await countedRequest(about, asking, (response) => judged(response, request))).response;
    };
    const token = await access.accessToken();
    const first = await send(token);
    if (!asksForToken(first, request)) return usable(first, request);
    return usable(await send(await access.accessToken(token)), request, { isRenewed: true });
  };
  return Object.assign(call, { placed });
}

/** Counts what Graph counts: each part of a batch ("Throttling and batching"). */
function requestsIn({ kind, body }: GraphRequest): number {
  return kind === "batch" && body && "requests" in body && Array.isArray(body.requests) ? body.requests.length : 1;
}

/** Writes the headers of a request, also as a part of a batch. */
export function headersOf({ body, etag, prefer = [] }: GraphRequest): Record<string, string> {
  return {
    ...{ accept: "application/json", prefer: [IMMUTABLE_IDS, ...prefer].join(", ") },
    ...(body && { "content-type": "application/json" }),
    ...(etag && { "if-match": etag }),
  };
}

/** Gives the path of a request with its query, below /v1.0. */
export function pathOf({ path, query = {} }: GraphRequest): string {
  const given = Object.entries(query).flatMap(([name, value]) => (value == null ? [] : [[name, String(value)]]));
  return given.length > 0 ? `${path}?${new URLSearchParams(given)}` : path;
}

/** Builds the URL of a request. A link is followed only to Graph, because it is sent with an access token. */
function urlOf(base: string, request: GraphRequest): string {
  if (request.path.startsWith("/")) return `${base}${pathOf(request)}`;
  if (request.path.startsWith(`${base}/`)) return request.path;
  throw down("foreign_link");
}

type Meaning = Pick<GraphRequest, "kind" | "accepts">;

interface Tried {
  isRenewed?: boolean;
}

/** Reads a response, also one of a part of a batch. Throws what its request doesn't accept. */
export function usable(response: JsonResponse, { kind, accepts }: Meaning, tried: Tried = {}): GraphResponse {
  const { verdict, reason } = judged(response, { kind }, tried);
  if (verdict === null || accepts?.includes(verdict)) return { verdict, body: objectOf(response.body), reason };
  throw verdictError(verdict, response.headers, reason);
}

/** Tells whether a response asks for another access token. */
export function asksForToken(response: JsonResponse, request: Meaning): boolean {
  return judged(response, request).verdict === "replace_token";
}

function judged(response: JsonResponse, { kind: request }: Meaning, { isRenewed }: Tried = {}) {
  const { status, body } = response;
  const isFine = status >= 200 && status < 300;
  if (isFine && body === null && !bodiless.has(status)) throw down("no_json");
  if (isFine) return { verdict: null, reason: "" };
  const words = wordsOf(response);
  const [word] = words;
  const verdict = verdictOf(microsoftVerdicts, { request, status, words, isRenewed });
  return { verdict, reason: `http_${status}${word ? `_${word}` : ""}` };
}
