import type { EndpointError } from "@/server/http/error-keys";
import type { Content, ResponseObject } from "@/server/http/openapi/document-shape";
import {
  clientChallenges,
  createdAt,
  type HeaderName,
  headerReferences,
  location,
} from "@/server/http/openapi/headers";
import { examplesOf } from "@/server/http/openapi/placed-examples";
import { reference } from "@/server/http/openapi/schemas";
import type { Wording } from "@/server/http/openapi/wording";
import type { Operation, RouteResponse } from "@/server/http/routes/route";

const limited: readonly HeaderName[] = ["RateLimit-Limit", "RateLimit-Remaining", "RateLimit-Reset"];

/** Lists the responses of an operation by status: its own, and those that follow from its credential and its body. */
export function responses(operation: Operation, wording: Wording): Record<string, ResponseObject> {
  const { credential, body, errors } = operation;
  const known: Operation["responses"] = {
    ...operation.responses,
    ...(credential === "bearer" && { 401: { description: "The access token is missing, expired or revoked." } }),
    ...(credential === "either" && {
      401: { description: "The access token is missing, expired or revoked, or the client id or secret is wrong." },
    }),
    ...(body && {
      413: { description: "The request body is too large." },
      415: { description: "The request body's `Content-Encoding` is not `gzip` or `deflate`." },
    }),
    ...(credential !== "none" && { 429: { description: "Too many requests. Retry after `Retry-After` seconds." } }),
    503: operation.responses[503] ?? {
      description:
        "Almanac is in maintenance (`maintenance`), or busy right now (no body). Nothing was changed. Retry after `Retry-After` seconds.",
      ...(operation.inBrowser ? page : maintained),
    },
    500: { description: "Internal error. Retry with exponential backoff.", ...(operation.inBrowser && page) },
  };
  const own = Object.entries(known).flatMap(([status, declared]) =>
    declared ? [[status, response(operation, { status: Number(status), declared, wording })]] : [],
  );
  return Object.fromEntries([...own, ...(errors ? [[422, invalid(operation, errors, wording)]] : [])]);
}

const page = { type: "text/html" } as const;
const maintained = { schema: ["Maintenance"] } as const;

interface ResponseInput {
  status: number;
  declared: RouteResponse;
  wording: Wording;
}

function response(operation: Operation, { status, declared, wording }: ResponseInput): ResponseObject {
  const type = declared.type ?? (declared.schema ? "application/json" : null);
  const recorded = examplesOf(operation.id, wording).responses(status);
  const redirected = declared.location && { Location: status === 201 ? createdAt : { ...location, ...recorded } };
  const takesClients = operation.credential === "client" || (operation.credential === "either" && status === 401);
  const challenge = takesClients && clientChallenges[status];
  const tagged = declared.etag ? (["ETag"] as const) : [];
  const challenged = challenge && { "WWW-Authenticate": challenge };
  return {
    description: declared.description,
    headers: { ...headerReferences([...headersOf(operation, status), ...tagged]), ...challenged, ...redirected },
    ...(type && { content: { [type]: { schema: schemaOf(declared), ...(type !== "text/html" && recorded) } } }),
  };
}

function schemaOf({ schema = [] }: RouteResponse): Content["schema"] {
  const [first, ...others] = schema.map((name) => ({ $ref: reference(name) }));
  if (!first) return { type: "string" };
  return others.length === 0 ? first : { anyOf: [first, ...others] };
}

/** Tells whether a response has the RateLimit headers: with either credential, a 429 may come before it is known who asks. */
function isCounted(credential: Operation["credential"], status: number): boolean {
  const takesTokens = credential === "bearer" || (credential === "either" && status !== 429);
  return takesTokens && status !== 401 && status < 500;
}

function headersOf({ credential }: Operation, status: number): HeaderName[] {
  return [
    "Svc-Request-Id",
    ...(isCounted(credential, status) ? limited : []),
    ...(status === 401 && credential === "bearer" ? (["WWW-Authenticate"] as const) : []),
    ...(status === 429 || status === 503 ? (["Retry-After"] as const) : []),
  ];
}

/** Describes a 422, with no other keys than the endpoint's own. */
function invalid(operation: Operation, errors: readonly EndpointError[], wording: Wording): ResponseObject {
  const keys = [...new Set(errors.map(({ key }) => key))];
  // With the description, so that an example has nothing that this part does not know.
  const ofEndpoint = { properties: { key: { enum: keys }, description: { type: "string" } } };
  const narrowed = { properties: { errors: { additionalProperties: { items: ofEndpoint } } } };
  return {
    description: "The request is invalid. Nothing was written.",
    headers: headerReferences(headersOf(operation, 422)),
    content: {
      "application/json": {
        schema: { allOf: [{ $ref: reference("Errors") }, narrowed] },
        ...examplesOf(operation.id, wording).responses(422),
      },
    },
    "x-error-keys": errors,
  };
}
