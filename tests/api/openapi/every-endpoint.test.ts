import { describe, expect, it } from "vitest";
import { servedDocument } from "@/server/http/openapi/served";
import { call } from "../service";

// Providers send users back to /oauth/callback: no application calls it.
const files = Object.keys(
  import.meta.glob(["/app/v1/**/route.ts", "/app/oauth/**/route.ts", "!/app/oauth/callback/**"]),
);
const paths = files
  .map((file) => file.replace(/^\/app/, "").replace(/\/route\.ts$/, ""))
  .filter((path) => !path.includes("..."))
  .map((path) => path.replaceAll(/\[\w+\]/g, "{}"));

/** The document's operations by path, without the names of its parameters: what is mounted shares some of them. */
const described = new Map(
  Object.entries(servedDocument().paths).map(([path, methods]) => [path.replaceAll(/\{\w+\}/g, "{}"), methods]),
);

describe("the OpenAPI document", () => {
  it("has the paths that there are", () => {
    expect([...described.keys()].sort()).toEqual(paths.sort());
  });

  it.each(paths)("has the methods of %s", async (path) => {
    const found = await Promise.all(
      ["GET", "POST", "PUT", "PATCH", "DELETE"].map(async (method) => {
        const { status } = await call(method, path.replaceAll("{}", "1"));
        return status === 405 ? [] : [method.toLowerCase()];
      }),
    );
    // The connect page's own form is no part of the API.
    const forms = path === "/oauth/authorize" ? ["post"] : [];
    expect(found.flat().sort()).toEqual([...Object.keys(described.get(path) ?? {}), ...forms].sort());
  });
});
