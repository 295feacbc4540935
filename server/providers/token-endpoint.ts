import { clock } from "@/server/clock";
import type { EgressFetch } from "@/server/egress/fetch";
import type { AccessToken } from "@/server/providers/access-token";
import { askJson, type JsonResponse } from "@/server/providers/ask-json";

/** A request with a form, as the endpoints of OAuth take it (RFC 6749 §4.1.3, §6). */
export function postForm(fetch: EgressFetch, url: string, form: Record<string, string>): Promise<JsonResponse> {
  const headers = { "content-type": "application/x-www-form-urlencoded", "user-agent": "Almanac" };
  return askJson(fetch, url, { method: "POST", headers, body: `${new URLSearchParams(form)}` });
}

/** The access token of a successful response (RFC 6749 §5.1). One without a lifetime is replaced at its next use. */
export function tokenOf({ access_token, expires_in }: Record<string, unknown>): AccessToken {
  const seconds = typeof expires_in === "number" && expires_in > 0 ? expires_in : 0;
  return { text: String(access_token), expiresAt: clock().now() + seconds * 1_000 };
}
