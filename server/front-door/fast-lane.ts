import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import type { RouteMethod, RouteModule, RouteTable } from "@/server/front-door/route-table";
import { staticFiles } from "@/server/front-door/static-files";
import { log } from "@/server/log";

/**
 * The compiled REST routes of `.next`, to be called without Next (ten times the throughput, ADR 1), and what is the same for everybody, which
 * is loaded when somebody asks for it first (ADR 87). That is not a documented interface: when one route has another shape than expected,
 * none is given and every request goes through Next.
 */
export async function fastLane(root: string): Promise<RouteTable> {
  try {
    const compiled = join(root, ".next", "server");
    const manifest = JSON.parse(await readFile(join(compiled, "app-paths-manifest.json"), "utf8")) as Record<
      string,
      string
    >;
    const load = createRequire(join(root, "package.json"));
    const table: RouteTable = {};
    for (const [key, file] of Object.entries(manifest)) {
      const pattern = key.replace(/\/\([^/)]+\)/g, "").replace(/\/route$/, "");
      const open = () => routeOf(load(join(compiled, file)));
      if (!key.endsWith("/route")) continue;
      if (isFast(pattern)) table[pattern] = await open();
      else if (isForEverybody(pattern)) table[pattern] = loadedLater(open);
    }
    table["/_next/static/[...path]"] = await staticFiles(join(root, ".next", "static"));
    return table;
  } catch (error) {
    log({ module: "front-door" }).warn(
      { err: error },
      "The compiled routes are not as expected: every request goes through Next",
    );
    return {};
  }
}

function isFast(pattern: string): boolean {
  return /^\/v1(?:\/|$)|^\/oauth\/token(?:\/revoke)?$|^\/health(?:\/(?:live|ready))?$|^\/api\/inngest$/.test(pattern);
}

function isForEverybody(pattern: string): boolean {
  return /^\/docs(?:\.md|\/.+)$|^\/llms(?:-full)?\.txt$|^\/openapi(?:\/postman)?\.json$/.test(pattern);
}

const methods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];

function loadedLater(open: () => Promise<RouteModule>): RouteModule {
  let opened: Promise<RouteModule> | undefined;
  const call =
    (name: string): RouteMethod =>
    async (request, context) => {
      opened ??= open();
      const method = (await opened)[name];
      return typeof method === "function" ? await method(request, context) : new Response(null, { status: 405 });
    };
  return Object.fromEntries(methods.map((name) => [name, call(name)]));
}

async function routeOf(loading: unknown): Promise<RouteModule> {
  const entry = (await loading) as { routeModule?: { ensureUserland?(): Promise<unknown>; userland?: RouteModule } };
  const routeModule = entry.routeModule;
  if (!routeModule) throw new Error("a compiled route has no routeModule");
  await routeModule.ensureUserland?.();
  const { userland } = routeModule;
  if (!userland || typeof userland.GET !== "function" || typeof userland.POST !== "function") {
    throw new Error("a compiled route has no GET or POST");
  }
  return userland;
}
