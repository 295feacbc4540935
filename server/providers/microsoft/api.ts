import type { EgressFetch } from "@/server/egress/fetch";
import { askJson, down, type JsonResponse, waitOf } from "@/server/providers/ask-json";
import { type MailboxAccess, ProviderError, type ProviderFault } from "@/server/providers/connector";
import { objectOf } from "@/server/providers/json-values";

export interface GraphRequest {
  method?: "GET" | "POST" | "PATCH" | "DELETE";
  /** Below /v1.0, or a whole link that Graph has given: the next page, or a delta token. */
  path: string;
  query?: Record<string, string | number | boolean | null | undefined>;
  body?: object;
  /** The request is for this version alone. */
  etag?: string | null;
  /** Beside immutable ids, such as `outlook.body-content-type="text"`. */
  prefer?: readonly string[];
  /** Statuses that are given back. Every other one beside 2xx is thrown. */
  accepts?: readonly number[];
}

export interface GraphResponse {
  status: number;
  body: Record<string, unknown>;
  /** Of an error: Graph's word for it, such as `ErrorItemNotFound`. Empty: none. */
  code: string;
}

export type GraphApi = (request: GraphRequest) => Promise<GraphResponse>;

/** Ids that stay when an event moves to another calendar ("Obtain immutable identifiers for Outlook resources"): of all requests, or of none. */
const IMMUTABLE_IDS = 'IdType="ImmutableId"';
const bodiless = new Set([202, 204]);

/** Requests to Graph with an access token. One that Graph rejects is replaced once. */
export function graphApi(fetch: EgressFetch, base: string, access: Pick<MailboxAccess, "accessToken">): GraphApi {
  return async (request) => {
    const url = urlOf(base, request);
    const { method = "GET", body } = request;
    const send = (token: string) =>
      askJson(fetch, url, {
        method,
        headers: { authorization: `Bearer ${token}`, "user-agent": "Almanac", ...headersOf(request) },
        ...(body && { body: JSON.stringify(body) }),
      });
    const token = await access.accessToken();
    const first = await send(token);
    const response = first.status === 401 ? await send(await access.accessToken(token)) : first;
    return usable(response, request.accepts ?? []);
  };
}

/** What a request says in its headers, also as a part of a batch. */
export function headersOf({ body, etag, prefer = [] }: GraphRequest): Record<string, string> {
  return {
    ...{ accept: "application/json", prefer: [IMMUTABLE_IDS, ...prefer].join(", ") },
    ...(body && { "content-type": "application/json" }),
    ...(etag && { "if-match": etag }),
  };
}

/** The path of a request with its query, below /v1.0. */
export function pathOf({ path, query = {} }: GraphRequest): string {
  const given = Object.entries(query).flatMap(([name, value]) => (value == null ? [] : [[name, String(value)]]));
  return given.length > 0 ? `${path}?${new URLSearchParams(given)}` : path;
}

/** A link is followed to nobody but Graph: it is sent with an access token. */
function urlOf(base: string, request: GraphRequest): string {
  if (request.path.startsWith("/")) return `${base}${pathOf(request)}`;
  if (request.path.startsWith(`${base}/`)) return request.path;
  throw down("foreign_link");
}

/** What a response says; throws what has to be waited for, and every error that the request does not accept. */
export function usable(response: JsonResponse, accepts: readonly number[]): GraphResponse {
  const { status } = response;
  const isFine = status >= 200 && status < 300;
  if (isFine && response.body === null && !bodiless.has(status)) throw down("no_json");
  const body = objectOf(response.body);
  if (isFine) return { status, body, code: "" };
  const code = codeOf(body);
  const fault = faultOf(response, code);
  const isLimit = fault.kind === "throttled" || fault.kind === "credentials_rejected";
  if (!isLimit && accepts.includes(status)) return { status, body, code };
  throw new ProviderError(fault, `http_${status}${code && `_${code}`}`);
}

/** `error.code`, a word of Graph's own ("Microsoft Graph error responses and resource types"). */
function codeOf(body: Record<string, unknown>): string {
  const { code } = objectOf(body.error);
  return typeof code === "string" && /^[\w.]{1,80}$/.test(code) ? code : "";
}

function faultOf(response: JsonResponse, code: string): ProviderFault {
  const { status } = response;
  if (status === 401) return { kind: "credentials_rejected" };
  if (status === 404 || status === 410) return { kind: "gone" };
  if (status === 412 || code === "ErrorIrresolvableConflict") return { kind: "conflict" };
  return waitOf(response) ?? { kind: "down" };
}
