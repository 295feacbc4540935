import { createHash } from "node:crypto";

const types = { css: "text/css; charset=utf-8", js: "text/javascript; charset=utf-8" };

/** What the editor's page loads. */
export interface EditorFile {
  /** Has a digest of the content in it: what is kept under it never changes. */
  name: string;
  response(): Response;
}

/** The front door compresses it on its way (server/front-door/compress.ts). */
export function editorFile(content: string, type: keyof typeof types): EditorFile {
  const bytes = new TextEncoder().encode(content);
  const headers = {
    "content-type": types[type],
    "cache-control": "private, max-age=31536000, immutable",
    "x-content-type-options": "nosniff",
    "cross-origin-resource-policy": "same-origin",
  };
  return {
    name: `${createHash("sha256").update(bytes).digest("hex").slice(0, 32)}.${type}`,
    response: () => new Response(bytes, { headers }),
  };
}
