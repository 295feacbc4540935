import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { openExchange } from "@/server/http/exchange";

const inter = "@fontsource-variable/inter/files/inter";
const mono = "@fontsource-variable/jetbrains-mono/files/jetbrains-mono";
const serif = "@fontsource/instrument-serif/files/instrument-serif";

/** The only files that /fonts has, by the name in the address. */
const files: ReadonlyMap<string, string> = new Map([
  ["inter-latin.woff2", `${inter}-latin-wght-normal.woff2`],
  ["inter-latin-ext.woff2", `${inter}-latin-ext-wght-normal.woff2`],
  ["instrument-serif-latin.woff2", `${serif}-latin-400-normal.woff2`],
  ["instrument-serif-latin-ext.woff2", `${serif}-latin-ext-400-normal.woff2`],
  ["instrument-serif-italic-latin.woff2", `${serif}-latin-400-italic.woff2`],
  ["instrument-serif-italic-latin-ext.woff2", `${serif}-latin-ext-400-italic.woff2`],
  ["jetbrains-mono-latin.woff2", `${mono}-latin-wght-normal.woff2`],
]);

const read = new Map<string, Uint8Array<ArrayBuffer>>();

/**
 * Serves GET /fonts/{name}: a font of the pages, from the installed packages. It is not in the request log, because
 * every page requests some.
 */
export async function font(request: Request, name: string): Promise<Response> {
  const { headers: common } = openExchange(request);
  const file = files.get(name);
  const bytes = file && (await load(file));
  if (!bytes) return new Response(null, { status: 404, headers: common });
  const headers = {
    ...common,
    "content-type": "font/woff2",
    "cache-control": "public, max-age=31536000, immutable",
    "cross-origin-resource-policy": "same-origin",
    "x-content-type-options": "nosniff",
  };
  return new Response(request.method === "HEAD" ? null : bytes, { headers });
}

/** Reads a font file. Null when the package is not installed: the page then shows the system's fonts. */
async function load(file: string): Promise<Uint8Array<ArrayBuffer> | null> {
  const known = read.get(file);
  if (known) return known;
  try {
    // The comment keeps the bundler from tracing the whole project.
    const bytes = new Uint8Array(await readFile(join(/* turbopackIgnore: true */ process.cwd(), "node_modules", file)));
    read.set(file, bytes);
    return bytes;
  } catch {
    return null;
  }
}
