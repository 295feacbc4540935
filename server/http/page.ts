import type { Answer } from "@/server/http/answer";

// A form ends at the application, whose own redirects some browsers judge too: https or loopback, as redirect URIs are.
const formAction = "form-action 'self' https: http://localhost:* http://127.0.0.1:* http://[::1]:*";

const csp = [
  "default-src 'none'",
  "style-src 'unsafe-inline'",
  "font-src 'self'",
  formAction,
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join("; ");

/** A page of plain HTML: no script can run on it, nobody can frame it, and its address is told to no other site. */
export function pageAnswer(markup: string, status = 200): Answer {
  return {
    status,
    headers: {
      "content-type": "text/html; charset=utf-8",
      "cache-control": "no-store",
      "content-security-policy": csp,
      "referrer-policy": "no-referrer",
      "x-content-type-options": "nosniff",
      "x-frame-options": "DENY",
      "cross-origin-opener-policy": "same-origin",
    },
    body: `<!DOCTYPE html>${markup}`,
  };
}

export function page(markup: string, status = 200): Response {
  const { body, headers } = pageAnswer(markup, status);
  return new Response(body, { status, headers });
}
