import type { Header } from "@/server/http/openapi/document-shape";

const seconds = { type: "integer", minimum: 0 };

/** `components.headers`. */
export const headers = {
  "Svc-Request-Id": {
    description: "Names the request: as the caller sent it, or new.",
    required: true,
    schema: { type: "string", pattern: "^[\\w.-]{8,64}$" },
  },
  "RateLimit-Limit": {
    description: "How many requests the tighter of the two limits takes at once.",
    required: true,
    schema: { type: "integer", minimum: 1 },
  },
  "RateLimit-Remaining": {
    description: "How many requests there is room for now.",
    required: true,
    schema: { type: "integer", minimum: 0 },
  },
  "RateLimit-Reset": { description: "Seconds until there is room for all again.", required: true, schema: seconds },
  "Retry-After": { description: "Seconds to wait.", required: true, schema: { type: "integer", minimum: 1 } },
  "WWW-Authenticate": {
    description:
      "`Bearer` with realm, `error` (`invalid_request` without a token, else `invalid_token`) and `error_description`.",
    required: true,
    schema: { type: "string", pattern: '^Bearer realm="svc", error="[a-z_]+", error_description="[^"]+"$' },
  },
  Location: {
    description: "Where the browser goes on.",
    required: true,
    schema: { type: "string", format: "uri-reference" },
  },
} as const satisfies Record<string, Header>;

export type HeaderName = keyof typeof headers;

export function headerReferences(names: readonly HeaderName[]) {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}
