import { code, type Guide } from "@/components/docs/guide";
import { introductionPart } from "@/components/docs/introduction";
import type { OpenApiDocument } from "@/server/http/openapi/document-shape";

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
          [
            "| `error` | Meaning | What to do |",
            "|---|---|---|",
            "| `invalid_client` | The client id is unknown, or the secret is wrong or retired. | Check both. Ask your Almanac administrator for a new secret. |",
            "| `invalid_grant` | The code was already used, has expired or was issued for another redirect URI, or the refresh token was revoked. | Ask the user to reconnect. |",
            "| `invalid_request` | A field is missing, or the body can't be parsed. | Fix the request. |",
            "| `unsupported_grant_type` | The grant type is not `authorization_code` or `refresh_token`. | Use one of the two. |",
          ].join("\n"),
        ],
      },
      {
        id: "again",
        title: "When to retry",
        blocks: [
          "**429** and **503**: wait `Retry-After` seconds. Other **5xx** and dropped connections: wait 1 second, then double the wait each time. Writes and deletions are safe to retry: the same body leaves one event. **401**: refresh the token and retry once. Don't retry any other 4xx without changing the request.",
        ],
      },
      { id: "keys", title: "Error keys", blocks: [{ list: "error keys" }] },
    ],
  };
}
