import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { RouteMethod, RouteModule, RouteTable } from "@/server/front-door/route-table";
import { staticFiles } from "@/server/front-door/static-files";
import { apiRoutes, feedRoutes, healthRoutes } from "@/server/http/api-routes";
import { inngestRoute } from "@/server/jobs/inngest-route";

/** The paths of components/docs/routes.ts. */
export const docsPaths = [
  ...["/docs/[[...page]]", "/docs/files/[name]", "/docs/search.json", "/docs.md"],
  ...["/llms.txt", "/llms-full.txt", "/openapi.json", "/openapi/postman.json"],
];

/** The compiled documentation (server/front-door/bundle.mjs). */
const DOCS = "docs.mjs";
const methods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];

/** What a worker serves. */
export const workerRoutes: RouteTable = { ...healthRoutes, "/api/inngest": inngestRoute() };

/** Gives what the front door serves without Next (ADR 1). In development that is little, since what Next serves is reloaded after a change. */
export async function routesWithoutNext({ root, isDev }: { root: string; isDev: boolean }): Promise<RouteTable> {
  // Next prints the address of each request in development, and that of a feed is a secret.
  if (isDev) return { ...workerRoutes, ...feedRoutes };
  const files = await staticFiles(join(root, ".next", "static"));
  return { ...apiRoutes, ...feedRoutes, ...workerRoutes, ...docs(root), "/_next/static/[...path]": files };
}

/** Loads the documentation with its first request. */
function docs(root: string): RouteTable {
  let loading: Promise<RouteTable> | undefined;
  const file = pathToFileURL(join(root, ".next", "front-door", DOCS)).href;
  const load = async (): Promise<RouteTable> => {
    const { docsRoutes } = (await import(/* @vite-ignore */ file)) as { docsRoutes: RouteTable };
    return docsRoutes;
  };
  const moduleOf = (path: string): RouteModule => {
    const call =
      (method: string): RouteMethod =>
      async (request, context) => {
        loading ??= load();
        const module = (await loading)[path] as Record<string, RouteMethod>;
        return (await module[method]?.(request, context)) ?? new Response(null, { status: 405 });
      };
    return Object.fromEntries(methods.map((method) => [method, call(method)]));
  };
  return Object.fromEntries(docsPaths.map((path) => [path, moduleOf(path)]));
}
