import { clock } from "@/server/clock";
import { env } from "@/server/env";
import { keptTexts } from "@/server/http/kept-texts";
import { openApiDocument } from "@/server/http/openapi/document";
import type { OpenApiDocument } from "@/server/http/openapi/document-shape";
import { weeksSinceRecorded } from "@/server/http/openapi/examples/dates";
import { postmanCollection } from "@/server/http/openapi/postman";
import { offeredProviders, standInHost } from "@/server/providers/offered";

let latest: { version: string; document: OpenApiDocument } | undefined;

const respond = keptTexts();
const headers = { "cache-control": "public, max-age=300" };
const type = "application/json; charset=utf-8";

/**
 * Serves GET /openapi.json: the document in this service's words, or 304 to a client that has it. It is not in the
 * request log, because it belongs to no application.
 */
export function servedOpenApi(request: Request): Promise<Response> {
  const make = () => ({ type, headers, text: JSON.stringify(servedDocument()) });
  return respond(request, { name: "openapi", version: documentVersion(), make });
}

/** Serves GET /openapi/postman.json: the same endpoints as a Postman collection, as a file to import. */
export function servedPostman(request: Request): Promise<Response> {
  const file = { "content-disposition": 'attachment; filename="almanac.postman_collection.json"' };
  const make = () => ({
    ...{ type, headers: { ...headers, ...file } },
    text: JSON.stringify(postmanCollection(servedDocument()), null, 2),
  });
  return respond(request, { name: "postman", version: documentVersion(), make });
}

/**
 * Returns the same document for pages, with this service's addresses, vocabulary and providers. It is built once a
 * week, for the dates of its examples.
 */
export function servedDocument(): OpenApiDocument {
  const version = documentVersion();
  if (latest?.version !== version) latest = { version, document: builtDocument() };
  return latest.document;
}

/** Returns what the document, and whatever is made of it, depends on: this service's configuration, and the week. */
export function documentVersion(): string {
  const { BASE_URL, APP_URL, WIRE_NAMES, SANDBOX } = env();
  const week = weeksSinceRecorded(clock().now());
  return [BASE_URL, APP_URL, WIRE_NAMES, SANDBOX, week, standInHost(), ...offeredProviders()].join(" ");
}

function builtDocument(): OpenApiDocument {
  const { BASE_URL: baseUrl, APP_URL: appUrl, WIRE_NAMES: names, SANDBOX } = env();
  const [offered, standIn, now] = [offeredProviders(), standInHost(), clock().now()];
  return openApiDocument({ baseUrl, appUrl, names, offered, standIn, now, isSandboxOff: SANDBOX === "off" });
}
