import type { EgressFetch } from "@/server/egress/fetch";
import { askJson, down, type JsonResponse, waitOf } from "@/server/providers/ask-json";
import { type MailboxAccess, ProviderError, type ProviderFault } from "@/server/providers/connector";
import { objectOf } from "@/server/providers/json-values";
import { retryAfter } from "@/server/providers/retry-after";

export interface ApiRequest {
  method?: "GET" | "POST" | "PATCH" | "DELETE";
  /** Below /calendar/v3. */
  path: string;
  query?: Record<string, string | number | boolean | null | undefined>;
  body?: object;
  /** The request is for this version alone. */
  etag?: string | null;
  /** Statuses that are given back. Every other one beside 2xx is thrown. */
  accepts?: readonly number[];
}

export interface ApiResponse {
  status: number;
  body: Record<string, unknown>;
  /** Of an error: Google's word for it, such as `duplicate`. Empty: none. */
  reason: string;
}

export type GoogleApi = (request: ApiRequest) => Promise<ApiResponse>;

const NO_CONTENT = 204;

/** Limits of one user or calendar, and those of the whole project (Google Calendar API, "Handle API errors", 403 and 429). */
const ofMailbox = new Set([
  "userRateLimitExceeded",
  "rateLimitExceeded",
  "quotaExceeded",
  "calendarUsageLimitExceeded",
]);
const ofProject = new Set(["dailyLimitExceeded", "dailyLimitExceededUnreg"]);

/** Requests to Google's calendar API with an access token. One that Google rejects is replaced once. */
export function googleApi(fetch: EgressFetch, base: string, access: Pick<MailboxAccess, "accessToken">): GoogleApi {
  return async ({ method = "GET", path, query = {}, body, etag, accepts = [] }) => {
    const given = Object.entries(query).flatMap(([name, value]) => (value == null ? [] : [[name, String(value)]]));
    const url = `${base}${path}${given.length > 0 ? `?${new URLSearchParams(given)}` : ""}`;
    const send = (token: string) =>
      askJson(fetch, url, {
        method,
        headers: {
          ...{ authorization: `Bearer ${token}`, "user-agent": "Almanac", accept: "application/json" },
          ...(body && { "content-type": "application/json" }),
          ...(etag && { "if-match": etag }),
        },
        ...(body && { body: JSON.stringify(body) }),
      });
    const token = await access.accessToken();
    const first = await send(token);
    const response = first.status === 401 ? await send(await access.accessToken(token)) : first;
    return usable(response, accepts);
  };
}

function usable(response: JsonResponse, accepts: readonly number[]): ApiResponse {
  const { status } = response;
  const isFine = status >= 200 && status < 300;
  if (isFine && response.body === null && status !== NO_CONTENT) throw down("no_json");
  const body = objectOf(response.body);
  if (isFine) return { status, body, reason: "" };
  const reason = reasonOf(body);
  const fault = faultOf(response, reason);
  const isLimit = fault.kind === "throttled" || fault.kind === "credentials_rejected";
  if (!isLimit && accepts.includes(status)) return { status, body, reason };
  throw new ProviderError(fault, `http_${status}${reason && `_${reason}`}`);
}

/** `error.errors[0].reason`, a word of Google's own. */
function reasonOf(body: Record<string, unknown>): string {
  const { errors } = objectOf(body.error);
  const { reason } = objectOf(Array.isArray(errors) ? errors[0] : null);
  return typeof reason === "string" && /^\w{1,60}$/.test(reason) ? reason : "";
}

function faultOf(response: JsonResponse, reason: string): ProviderFault {
  const { status, headers } = response;
  if (status === 401 || reason === "insufficientPermissions") return { kind: "credentials_rejected" };
  const isLimit = status === 403 || status === 429;
  if (isLimit && ofProject.has(reason)) return { kind: "throttled", after: retryAfter(headers), scope: "application" };
  if (isLimit && ofMailbox.has(reason)) return { kind: "throttled", after: retryAfter(headers), scope: "mailbox" };
  if (status === 404 || status === 410) return { kind: "gone" };
  if (status === 412) return { kind: "conflict" };
  return waitOf(response) ?? { kind: "down" };
}
