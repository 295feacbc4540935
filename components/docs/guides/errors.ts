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
    lead: "The status says whose turn it is. A 422 also says which field, and carries a key that stays the same while sentences are improved.",
    sections: [
      { id: "statuses", title: "Statuses", blocks: [statuses] },
      {
        id: "invalid",
        title: "The body of a 422",
        blocks: [
          rules,
          code("json", "Two mistakes at once", [
            "{",
            `  "errors": {`,
            `    "summary": [`,
            `      { "key": "errors.required", "description": "summary is required" }`,
            "    ],",
            `    "attendees.invite[0].email": [`,
            `      { "key": "errors.invalid_email", "description": "attendees.invite[0].email is not an e-mail address" }`,
            "    ]",
            "  }",
            "}",
          ]),
        ],
      },
      {
        id: "oauth",
        title: "The body of a 400",
        blocks: [
          "The OAuth endpoints answer `error` and `error_description`, as RFC 6749 has it.",
          [
            "| `error` | Means | What to do |",
            "|---|---|---|",
            "| `invalid_client` | The client id is unknown, or the secret is not one of its active ones. | Check both; ask whoever runs Almanac for a new secret. |",
            "| `invalid_grant` | The code was used, has expired or belongs to another redirect URI; the refresh token was revoked. | Send the person to connect again. |",
            "| `invalid_request` | A field is missing, or the body cannot be read. | Mend the request. |",
            "| `unsupported_grant_type` | Neither `authorization_code` nor `refresh_token`. | Use one of the two. |",
          ].join("\n"),
        ],
      },
      {
        id: "again",
        title: "When to try again",
        blocks: [
          "**429**: after `Retry-After` seconds. **5xx** and broken connections: after 1 second, then twice as long each time. Writes and deletions can be repeated: the same body leaves one event. **401**: refresh the token and try once. Any other 4xx stays as it is until the request is changed.",
        ],
      },
      { id: "keys", title: "Every key", blocks: [{ list: "error keys" }] },
    ],
  };
}
