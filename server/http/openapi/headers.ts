import type { Header } from "@/server/http/openapi/document-shape";

const BEARER_CHALLENGE = '^Bearer realm="svc", error="[a-z_]+", error_description="[^"]+"$';
const seconds = { type: "integer", minimum: 0 };

/** `components.headers`. */
export const headers = {
  "Svc-Request-Id": {
    description: "The id of the request: the one you sent, or a new one.",
    required: true,
    schema: { type: "string", pattern: "^[\\w.-]{8,64}$" },
  },
  "RateLimit-Limit": {
    description: "Burst size of the tighter of the two rate limits.",
    required: true,
    schema: { type: "integer", minimum: 1 },
  },
  "RateLimit-Remaining": {
    description: "How many requests you can send right now.",
    required: true,
    schema: { type: "integer", minimum: 0 },
  },
  "RateLimit-Reset": {
    description: "Seconds until the full burst is available again.",
    required: true,
    schema: seconds,
  },
  "Retry-After": {
    description: "Seconds to wait before the next request.",
    required: true,
    schema: { type: "integer", minimum: 1 },
  },
  "WWW-Authenticate": {
    description:
      "`Bearer` with `realm`, `error` (`invalid_request` if no token was sent, otherwise `invalid_token`) and `error_description`.",
    required: true,
    schema: { type: "string", pattern: BEARER_CHALLENGE },
  },
  ETag: {
    description: "The entity tag of the event as the body shows it.",
    required: true,
    schema: { type: "string", pattern: '^"[0-9a-f]{32}"$' },
  },
} as const satisfies Record<string, Header>;

/** Of endpoints that take client credentials: a 401 always has it, a 400 only for HTTP Basic. */
export const clientChallenges: Partial<Record<number, Header>> = {
  400: {
    description: "`Basic` with `realm`, for `invalid_client` if the request had an `Authorization: Basic` header.",
    required: false,
    schema: { type: "string", pattern: '^Basic realm="svc"$' },
  },
  401: {
    description: "`Basic` with `realm` if the request had an `Authorization: Basic` header, otherwise `Bearer`.",
    required: true,
    schema: { type: "string", pattern: `^Basic realm="svc"$|${BEARER_CHALLENGE}` },
  },
};

/** Of a response to a request that created something. */
export const createdAt = {
  description: "The path of what was created.",
  required: true,
  schema: { type: "string", format: "uri-reference" },
} as const satisfies Header;

/** Stands in its response, with its examples. */
export const location = {
  description: "Where the browser is redirected.",
  required: true,
  schema: { type: "string", format: "uri-reference" },
} as const satisfies Header;

export type HeaderName = keyof typeof headers;

export function headerReferences(names: readonly HeaderName[]) {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}
