import { createHash } from "node:crypto";

const types = { css: "text/css; charset=utf-8", js: "text/javascript; charset=utf-8" };

/** A file that the editor's page loads. */
export interface EditorFile {
  /** Contains a digest of the content, so what it names never changes. */
  name: string;
  content: string;
  type: string;
  headers: Record<string, string>;
}

export function editorFile(content: string, type: keyof typeof types): EditorFile {
  const headers = {
    "cache-control": "private, max-age=31536000, immutable",
    "x-content-type-options": "nosniff",
    "cross-origin-resource-policy": "same-origin",
  };
  return {
    name: `${createHash("sha256").update(content).digest("hex").slice(0, 32)}.${type}`,
    ...{ content, type: types[type], headers },
  };
}
