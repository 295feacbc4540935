import { googleVerdicts } from "@/server/domain/provider-responses/google";
import { type RequestKind, type Verdict, verdictOf } from "@/server/domain/provider-responses/verdicts";
import type { EgressFetch } from "@/server/egress/fetch";
import { askJson, down, type JsonResponse } from "@/server/providers/ask-json";
import type { MailboxAccess } from "@/server/providers/connector";
import { wordsOf } from "@/server/providers/google/error-words";
import { objectOf } from "@/server/providers/json-values";
import { countedRequest } from "@/server/providers/request-counts";
import { verdictError } from "@/server/providers/verdict-fault";

export interface ApiRequest {
  /** What it is for, which decides what its response means. */
  kind: RequestKind;
  method?: "GET" | "POST" | "PATCH" | "DELETE";
  /** Below the base of the API, such as /calendar/v3. */
  path: string;
  query?: Record<string, string | number | boolean | null | undefined>;
  body?: object;
  /** The request is for this version alone. */
  etag?: string | null;
  /** Verdicts that are given back. Every other one is thrown. */
  accepts?: readonly Verdict[];
}

export interface ApiResponse {
  /** Null: a success. */
  verdict: Verdict | null;
  body: Record<string, unknown>;
  /** Of an error: its status and Google's word for it, such as `http_409_duplicate`. */
  reason: string;
}

export type GoogleApi = (request: ApiRequest) => Promise<ApiResponse>;

const NO_CONTENT = 204;

/** Requests to one of Google's APIs with an access token. One that Google rejects is replaced once. */
export function googleApi(
  fetch: EgressFetch,
  base: string,
  access: Pick<MailboxAccess, "accessToken" | "spend">,
): GoogleApi {
  return async (request) => {
    const { method = "GET", path, query = {}, body, etag } = request;
    const given = Object.entries(query).flatMap(([name, value]) => (value == null ? [] : [[name, String(value)]]));
    const url = `${base}${path}${given.length > 0 ? `?${new URLSearchParams(given)}` : ""}`;
    const send = async (token: string, isRenewed: boolean) => {
      await access.spend?.(1);
      const asking = askJson(fetch, url, {
        method,
        headers: {
          ...{ authorization: `Bearer ${token}`, "user-agent": "Almanac", accept: "application/json" },
          ...(body && { "content-type": "application/json" }),
          ...(etag && { "if-match": etag }),
        },
        ...(body && { body: JSON.stringify(body) }),
      });
      const about = { provider: "google", kind: request.kind } as const;
      return await countedRequest(about, asking, (response) => judged(response, request.kind, isRenewed));
    };
    const token = await access.accessToken();
    const first = await send(token, false);
    const last = first.verdict === "replace_token" ? await send(await access.accessToken(token), true) : first;
    const { response, verdict, reason } = last;
    if (verdict === null || request.accepts?.includes(verdict))
      return { verdict, body: objectOf(response.body), reason };
    throw verdictError(verdict, response.headers, reason);
  };
}

function judged(response: JsonResponse, request: RequestKind, isRenewed: boolean) {
  const { status, body } = response;
  const isFine = status >= 200 && status < 300;
  if (isFine && body === null && status !== NO_CONTENT) throw down("no_json");
  if (isFine) return { verdict: null, reason: "" };
  const words = wordsOf(response);
  const [word] = words;
  const verdict = verdictOf(googleVerdicts, { request, status, words, isRenewed });
  return { verdict, reason: `http_${status}${word ? `_${word}` : ""}` };
}
