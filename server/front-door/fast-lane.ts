import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import type { RouteModule, RouteTable } from "@/server/front-door/route-table";
import { log } from "@/server/log";

/**
 * The compiled REST routes of `.next`, to be called without Next (ten times the throughput, ADR 1). That is not a documented
 * interface: when one route has another shape than expected, none is given and every request goes through Next.
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
      if (key.endsWith("/route") && isFast(pattern)) table[pattern] = await routeOf(load(join(compiled, file)));
    }
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
