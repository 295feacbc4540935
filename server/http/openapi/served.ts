import { createHash } from "node:crypto";
import { env } from "@/server/env";
import { openExchange } from "@/server/http/exchange";
import { openApiDocument } from "@/server/http/openapi/document";
import type { OpenApiDocument } from "@/server/http/openapi/document-shape";

interface Served {
  document: OpenApiDocument;
  text: string;
  etag: string;
}

const made = new Map<string, Served>();

/** GET /openapi.json: the document in this service's words, or 304 to who has it. Not in the request log, as it is nobody's. */
export function servedOpenApi(request: Request): Response {
  const { headers: every } = openExchange(request);
  const { text, etag } = served();
  const headers = { ...every, etag, "cache-control": "public, max-age=300", "x-content-type-options": "nosniff" };
  const known = (request.headers.get("if-none-match") ?? "").split(",").map((tag) => tag.trim().replace(/^W\//, ""));
  if (known.includes(etag) || known.includes("*")) return new Response(null, { status: 304, headers });
  return new Response(request.method === "HEAD" ? null : text, {
    headers: { ...headers, "content-type": "application/json; charset=utf-8" },
  });
}

/** The same document for pages: with this service's addresses and vocabulary. Made once. */
export function servedDocument(): OpenApiDocument {
  return served().document;
}

function served(): Served {
  const { BASE_URL: baseUrl, APP_URL: appUrl, WIRE_NAMES: names } = env();
  const key = `${baseUrl} ${appUrl} ${names}`;
  const known = made.get(key);
  if (known) return known;
  const document = openApiDocument({ baseUrl, appUrl, names });
  const text = JSON.stringify(document);
  const etag = `"${createHash("sha256").update(text).digest("base64url").slice(0, 22)}"`;
  made.set(key, { document, text, etag });
  return { document, text, etag };
}
