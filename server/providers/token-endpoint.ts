import { clock } from "@/server/clock";
import { type VerdictRow, verdictOf } from "@/server/domain/provider-responses/verdicts";
import type { EgressFetch } from "@/server/egress/fetch";
import type { AccessToken } from "@/server/providers/access-token";
import { askJson, type JsonResponse } from "@/server/providers/ask-json";
import type { ProviderError } from "@/server/providers/connector";
import { objectOf } from "@/server/providers/json-values";
import { verdictError } from "@/server/providers/verdict-fault";

/** Sends a request with a form, as the endpoints of OAuth take it (RFC 6749 §4.1.3, §6). */
export function postForm(fetch: EgressFetch, url: string, form: Record<string, string>): Promise<JsonResponse> {
  const headers = { "content-type": "application/x-www-form-urlencoded", "user-agent": "Almanac" };
  return askJson(fetch, url, { method: "POST", headers, body: `${new URLSearchParams(form)}` });
}

/** Gives the access token of a successful response (RFC 6749 §5.1). One without a lifetime is replaced at its next use. */
export function tokenOf({ access_token, expires_in }: Record<string, unknown>): AccessToken {
  const seconds = typeof expires_in === "number" && expires_in > 0 ? expires_in : 0;
  return { text: String(access_token), expiresAt: clock().now() + seconds * 1_000 };
}

export interface TokenEndpoint {
  fetch: EgressFetch;
  url: string;
  /** What this service proves itself with. */
  client: Record<string, string>;
  /** What refusals mean. */
  rows: readonly VerdictRow[];
}

/** Asks for tokens, for a code, a refresh token or an organization: the whole response, or why none were issued. */
export type TokenIssuer = (
  request: "renew_access" | "exchange_code" | "act_for_user",
  form: Record<string, string>,
) => Promise<Record<string, unknown> | TokenRefusal>;

export interface TokenRefusal {
  words: readonly string[];
  refusal: ProviderError;
}

/** Asks an endpoint for tokens. It is the same client each time, which counts as known once it was issued any. */
export function tokenIssuer({ fetch, url, client, rows }: TokenEndpoint): TokenIssuer {
  let isProven = false;
  return async (request, form) => {
    const { status, headers, body } = await postForm(fetch, url, { ...form, ...client });
    const issued = objectOf(body);
    if (status === 200 && typeof issued.access_token === "string") {
      isProven = true;
      return issued;
    }
    const words = oauthWordsOf(body);
    const verdict = verdictOf(rows, { request, status, words, isProven });
    const detail = words.length > 0 ? words.join("_") : `http_${status}`;
    return { words, refusal: verdictError(verdict, headers, detail) };
  };
}

export function isRefusal(outcome: Record<string, unknown> | TokenRefusal): outcome is TokenRefusal {
  return "refusal" in outcome;
}

/**
 * Gives the words of an error response (RFC 6749 §5.2): `error`, what providers add to it, and Microsoft's own number, which is the first word of
 * the description. None: it is no error of OAuth.
 */
export function oauthWordsOf(body: unknown): string[] {
  const { error, suberror, error_subtype, error_description } = objectOf(body);
  const [, number] = /^AADSTS(\d{4,10})\b/.exec(String(error_description ?? "").trim()) ?? [];
  const isWord = (value: unknown): value is string => typeof value === "string" && /^\w{1,60}$/.test(value);
  if (!isWord(error)) return [];
  return [error, suberror, error_subtype, number && `AADSTS${number}`].filter(isWord);
}
