import { readdir, readFile } from "node:fs/promises";
import { extname, join, relative, sep } from "node:path";
import type { RouteMethod, RouteModule } from "@/server/front-door/route-table";
import { keptTexts } from "@/server/http/kept-texts";

const types: Record<string, string> = {
  ".js": "application/javascript; charset=UTF-8",
  ".css": "text/css; charset=UTF-8",
  ".json": "application/json; charset=UTF-8",
  ".svg": "image/svg+xml",
  ".woff2": "font/woff2",
  ".ico": "image/x-icon",
  ".png": "image/png",
};
const headers = { "cache-control": "public, max-age=31536000, immutable" };

/** Serves what Next's pages load, whose names change with their content: each file is read, and compressed, once. */
export async function staticFiles(folder: string): Promise<RouteModule> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const known = new Map(files.map((file) => [relative(folder, file).split(sep).join("/"), file]));
  const respond = keptTexts();
  const read: RouteMethod = async (request, { params }) => {
    const name = [(await params).path ?? []].flat().join("/");
    const file = known.get(name);
    if (file === undefined) return new Response(null, { status: 404 });
    const make = async () => ({
      ...{ type: types[extname(file)] ?? "application/octet-stream", headers },
      text: await readFile(file),
    });
    return respond(request, { name, version: folder, make });
  };
  const refuse: RouteMethod = () => new Response(null, { status: 405, headers: { allow: "GET, HEAD" } });
  return { GET: read, HEAD: read, POST: refuse, PUT: refuse, PATCH: refuse, DELETE: refuse, OPTIONS: refuse };
}
