import { expect, it } from "vitest";
import { docsRoutes } from "@/components/docs/routes";
import { docsPaths, routesWithoutNext, workerRoutes } from "@/server/front-door/routes";
import { apiRoutes, feedRoutes, healthRoutes } from "@/server/http/api-routes";

type Methods = Record<string, unknown>;

const api = import.meta.glob<Methods>(
  [
    "/app/v1/**/route.ts",
    "/app/oauth/{register,token}/**/route.ts",
    "/app/mcp/route.ts",
    "/app/health/**/route.ts",
    "/app/api/inngest/route.ts",
    "/app/feeds/**/route.ts",
  ],
  { eager: true },
);
const documentation = import.meta.glob<Methods>(
  ["/app/docs/**/route.ts", "/app/docs.md/route.ts", "/app/llms*/route.ts", "/app/openapi*/**/route.ts"],
  { eager: true },
);
const inNext = Object.fromEntries(
  Object.entries({ ...api, ...documentation }).map(([file, module]) => [
    file.replace(/^\/app|\/route\.ts$/g, ""),
    module,
  ]),
);
const methods = ["DELETE", "GET", "HEAD", "OPTIONS", "PATCH", "POST", "PUT"];
const namesOf = (module: Methods) => Object.keys(module).filter((name) => name !== "dynamic");

it("Next mounts the paths that the front door serves, with every method", () => {
  const table: Record<string, Methods> = { ...apiRoutes, ...feedRoutes, ...workerRoutes, ...docsRoutes };
  expect(Object.keys(inNext).sort()).toEqual(Object.keys(table).sort());
  for (const [path, module] of Object.entries(inNext)) {
    expect([path, namesOf(module).sort()]).toEqual([path, methods]);
    expect([path, Object.keys(table[path] ?? {}).sort()]).toEqual([path, methods]);
  }
});

it("with the same functions, apart from that of Inngest, which each makes for itself", () => {
  const table: Record<string, Methods> = { ...apiRoutes, ...feedRoutes, ...healthRoutes, ...docsRoutes };
  for (const [path, module] of Object.entries(table)) {
    for (const method of methods) expect(inNext[path]?.[method]).toBe(module[method]);
  }
});

it("the front door knows every path of the documentation before it is loaded", () => {
  expect(docsPaths.toSorted()).toEqual(Object.keys(docsRoutes).sort());
});

it("in development Next serves what it can load again", async () => {
  expect(await routesWithoutNext({ root: "/none", isDev: true })).toEqual({ ...workerRoutes, ...feedRoutes });
});
