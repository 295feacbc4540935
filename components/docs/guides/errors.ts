import { code, type Guide } from "@/components/docs/guide";
import { introductionPart } from "@/components/docs/introduction";
import { type AuthorizeError, authorizeErrors, type OAuthError, oauthErrors } from "@/server/domain/oauth-errors";
import type { OpenApiDocument } from "@/server/http/openapi/document-shape";

interface Advice {
  means: string;
  advice: string;
}

const reserved = { means: "Not sent today. RFC 6749 has it.", advice: "Handle it like `invalid_request`." };

const atEndpoints: Record<OAuthError, Advice> = {
  invalid_client: {
    means: "The client id is unknown, or the secret is wrong or retired.",
    advice: "Check both. Ask your Almanac administrator for a new secret.",
  },
  invalid_grant: {
    means:
      "The code was already used, has expired or was issued for another redirect URI, or the refresh token was revoked.",
    advice: "Ask the user to reconnect.",
  },
  invalid_request: { means: "A field is missing, or the body can't be parsed.", advice: "Fix the request." },
  unsupported_grant_type: {
    means: "The grant type is not `authorization_code` or `refresh_token`.",
    advice: "Use one of the two.",
  },
  unauthorized_client: reserved,
  invalid_scope: { ...reserved, means: "Not sent here: these endpoints ignore `scope`." },
  access_denied: { ...reserved, means: "Not sent here: see the redirect below." },
  server_error: { ...reserved, means: "Not sent today: internal errors are a 500 without a body." },
};

const onRedirect: Record<AuthorizeError, Advice> = {
  access_denied: {
    means:
      "The user cancelled, the link token is unknown, used or expired, or the calendar account already belongs to another account of your application.",
    advice: "Offer to connect again. For a link token, create a new one.",
  },
  unsupported_response_type: { means: "`response_type` is not `code`.", advice: "Fix the link." },
  invalid_scope: {
    means: "`scope` names a scope that doesn't exist, or has other separators than single spaces.",
    advice: "Fix the link, or omit `scope`.",
  },
  invalid_request: {
    means: "`code_challenge` is malformed, or `code_challenge_method` is not `S256`.",
    advice: "Fix the link.",
  },
};

/** `head`: of the first column, which tells the tables of the page apart. */
function errorTable<Name extends string>(head: string, names: readonly Name[], advice: Record<Name, Advice>): string {
  const rows = names.map((name) => `| \`${name}\` | ${advice[name].means} | ${advice[name].advice} |`);
  return [`| ${head} | Meaning | What to do |`, "|---|---|---|", ...rows].join("\n");
}

/** Statuses and keys, generated from the document. */
export function errorsGuide(document: OpenApiDocument): Guide {
  const [statuses = "", rules = ""] = introductionPart(document, "Errors").split("\n\n");
  return {
    name: "Errors",
    path: "/docs/errors",
    title: "Errors",
    lead: "The status code tells you who has to act. A 422 also names each invalid field, with a stable key to match on and a description for humans.",
    sections: [
      { id: "statuses", title: "Status codes", blocks: [statuses] },
      {
        id: "invalid",
        title: "422: validation errors",
        blocks: [
          rules,
          code("json", "Two errors in one response", [
            "{",
            `  "errors": {`,
            `    "summary": [`,
            `      { "key": "errors.required", "description": "summary is required" }`,
            "    ],",
            `    "attendees.invite[0].email": [`,
            `      { "key": "errors.invalid_email", "description": "attendees.invite[0].email is not a valid email address" }`,
            "    ]",
            "  }",
            "}",
          ]),
        ],
      },
      {
        id: "oauth",
        title: "400: OAuth errors",
        blocks: [
          "The OAuth endpoints return `error` and `error_description` as defined in RFC 6749.",
          errorTable("`error`", oauthErrors, atEndpoints),
        ],
      },
      {
        id: "redirect",
        title: "Errors on the redirect",
        blocks: [
          "If connecting fails, the [connect page](/docs/reference/authorize) sends the user back to your `redirect_uri` with `error`, `error_description` and your `state`. If the client id is unknown or the redirect URI is not registered, there is nowhere safe to go: the user sees an error page.",
          errorTable("`error` on the redirect", authorizeErrors, onRedirect),
        ],
      },
      {
        id: "again",
        title: "When to retry",
        blocks: [
          "**429** and **503**: wait `Retry-After` seconds. Nothing was stored. Other **5xx** and dropped connections: wait 1 second, then double the wait each time. The request may have been carried out all the same. Writes and deletions are safe to retry: the same body leaves one event. **401**: refresh the token and retry once. Don't retry any other 4xx without changing the request.",
        ],
      },
      { id: "keys", title: "Error keys", blocks: [{ list: "error keys" }] },
    ],
  };
}
