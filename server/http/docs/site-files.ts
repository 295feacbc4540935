import { createHash } from "node:crypto";
import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { keptTexts } from "@/server/http/kept-texts";

/** What the pages of the documentation load, from what the build compiled (server/front-door/docs-files.mjs). */
export interface SiteFiles {
  /** Names that change with the content. */
  style: string;
  script: string;
  /** Scripts that stand in the page, because they run before it is painted. */
  first: string;
  menu: string;
  /** Milliseconds since 1970. */
  compiledAt: number;
}

interface Loaded extends SiteFiles {
  contents: ReadonlyMap<string, string>;
}

/** The build writes it last. */
const STYLE = "docs.css";
const types: Record<string, string> = { css: "text/css; charset=utf-8", js: "text/javascript; charset=utf-8" };

let loaded: Loaded | undefined;

export async function siteFiles(): Promise<SiteFiles> {
  return await all();
}

const respond = keptTexts();
const headers = {
  "cache-control": "public, max-age=31536000, immutable",
  "cross-origin-resource-policy": "same-origin",
};

/**
 * Serves GET /docs/files/{name}; null when this version has no such file. Browsers keep the file, since its name
 * changes with it.
 */
export async function docsFile(request: Request, name: string): Promise<Response | null> {
  const { contents, compiledAt } = await all();
  const text = contents.get(name);
  if (text === undefined) return null;
  const type = types[name.split(".").at(-1) ?? ""] ?? "";
  return respond(request, { name, version: String(compiledAt), make: () => ({ type, text, headers }) });
}

/** Reads the files once, and again when `npm run dev` has compiled them again. */
async function all(): Promise<Loaded> {
  const { mtimeMs } = await stat(pathOf(STYLE));
  if (loaded?.compiledAt !== mtimeMs) loaded = await load(mtimeMs);
  return loaded;
}

async function load(compiledAt: number): Promise<Loaded> {
  const read = async (name: string) => (await readFile(pathOf(name), "utf8")).trim();
  const [css, js, first, menu] = await Promise.all([read(STYLE), read("main.js"), read("first.js"), read("menu.js")]);
  const [style, script] = [named("css", css), named("js", js)];
  const contents = new Map([
    [style, css],
    [script, js],
  ]);
  return { style, script, first, menu, contents, compiledAt };
}

function pathOf(name: string): string {
  // The comment keeps the bundler from tracing the whole project.
  return join(/* turbopackIgnore: true */ process.cwd(), ".next", "docs", name);
}

function named(extension: "css" | "js", text: string): string {
  return `docs-${createHash("sha256").update(text).digest("hex").slice(0, 16)}.${extension}`;
}
