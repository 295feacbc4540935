import { createHash } from "node:crypto";
import { clock } from "@/server/clock";
import { env } from "@/server/env";
import { openExchange } from "@/server/http/exchange";
import { openApiDocument } from "@/server/http/openapi/document";
import type { OpenApiDocument } from "@/server/http/openapi/document-shape";
import { weeksSinceRecorded } from "@/server/http/openapi/examples/dates";
import { postmanCollection } from "@/server/http/openapi/postman";
import { offeredProviders, standInHost } from "@/server/providers/offered";

interface Served {
  document: OpenApiDocument;
  text: string;
}

let latest: (Served & { key: string }) | undefined;

/** GET /openapi.json: the document in this service's words, or 304 to who has it. Not in the request log, as it is nobody's. */
export function servedOpenApi(request: Request): Response {
  return sent(request, served().text);
}

/** GET /openapi/postman.json: the same endpoints as a Postman collection, as a file to import. */
export function servedPostman(request: Request): Response {
  const text = JSON.stringify(postmanCollection(served().document), null, 2);
  const response = sent(request, text);
  response.headers.set("content-disposition", 'attachment; filename="almanac.postman_collection.json"');
  return response;
}

function sent(request: Request, text: string): Response {
  const { headers: every } = openExchange(request);
  const etag = `"${createHash("sha256").update(text).digest("base64url").slice(0, 22)}"`;
  const headers = { ...every, etag, "cache-control": "public, max-age=300", "x-content-type-options": "nosniff" };
  const known = (request.headers.get("if-none-match") ?? "").split(",").map((tag) => tag.trim().replace(/^W\//, ""));
  if (known.includes(etag) || known.includes("*")) return new Response(null, { status: 304, headers });
  return new Response(request.method === "HEAD" ? null : text, {
    headers: { ...headers, "content-type": "application/json; charset=utf-8" },
  });
}

/** The same document for pages: with this service's addresses, vocabulary and providers. Built once a week, for the dates of its examples. */
export function servedDocument(): OpenApiDocument {
  return served().document;
}

function served(): Served {
  const { BASE_URL: baseUrl, APP_URL: appUrl, WIRE_NAMES: names, SANDBOX } = env();
  const now = clock().now();
  const offered = offeredProviders();
  const standIn = standInHost();
  const key = [baseUrl, appUrl, names, SANDBOX, weeksSinceRecorded(now), standIn, ...offered].join(" ");
  if (latest?.key === key) return latest;
  const document = openApiDocument({ baseUrl, appUrl, names, offered, standIn, now, isSandboxOff: SANDBOX === "off" });
  const text = JSON.stringify(document);
  latest = { key, document, text };
  return latest;
}
