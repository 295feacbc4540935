import { formPagePolicy, framedPagePolicy, plainPagePolicy } from "@/server/domain/net/content-security-policy";
import type { HttpResponse } from "@/server/http/responses";

/** A form that leads to another origin. */
export interface PageForm {
  /** The redirect URI that it leads to in the end. */
  ends: string;
  /** The digest of the one script that its page runs. */
  scriptDigest: string;
}

/**
 * Builds a page of plain HTML: no script can run on it but that of its form, nobody can frame it, and its address is
 * sent to no other site. A page without `form` sends its forms to this origin alone.
 */
export function pageResponse(markup: string, status = 200, form?: PageForm): HttpResponse {
  return {
    status,
    headers: {
      "content-type": "text/html; charset=utf-8",
      "cache-control": "no-store",
      "content-security-policy": form ? formPagePolicy(endsOf(form.ends), form.scriptDigest) : plainPagePolicy(),
      "referrer-policy": "no-referrer",
      "x-content-type-options": "nosniff",
      "x-frame-options": "DENY",
      "cross-origin-opener-policy": "same-origin",
    },
    body: `<!DOCTYPE html>${markup}`,
  };
}

/**
 * Lists where a form may end. Browsers judge every hop after it, the application's own too: https, and for a redirect URI on loopback the
 * machine's other servers. No source can say [::1] (CSP 3 §2.3.1), so for that one it is the scheme.
 */
function endsOf(redirectUri: string): string {
  const { protocol, hostname } = new URL(redirectUri);
  if (protocol === "https:") return "https:";
  return hostname.startsWith("[") ? "https: http:" : "https: http://localhost:* http://127.0.0.1:*";
}

export function page(markup: string, status = 200): Response {
  const { body, headers } = pageResponse(markup, status);
  return new Response(body, { status, headers });
}

/** Builds a page of plain HTML that a page of the dashboard frames, and in which nothing can be sent. */
export function framedPage(markup: string): Response {
  const { body, headers } = pageResponse(markup);
  return new Response(body, {
    headers: { ...headers, "content-security-policy": framedPagePolicy(), "x-frame-options": "SAMEORIGIN" },
  });
}
