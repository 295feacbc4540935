import { createHash } from "node:crypto";
import { beforeAll, describe, expect, it } from "vitest";
import { GET, POST } from "@/app/docs/[[...page]]/route";
import { GET as file } from "@/app/docs/files/[name]/route";
import { compileDocs } from "@/server/front-door/docs-files.mjs";
import { ownDatabase } from "../own-database";

ownDatabase();
beforeAll(() => compileDocs(process.cwd()));

const open = (path: string, headers: Record<string, string> = {}) =>
  GET(new Request(`http://almanac.test${path}`, { headers }), {
    params: Promise.resolve({ page: path.split("/").slice(2) }),
  });

describe("a page of the documentation", () => {
  it("runs the scripts that its policy names, and no others", async () => {
    const response = await open("/docs/webhooks");
    const markup = await response.text();
    const policy = response.headers.get("content-security-policy") ?? "";
    const inline = [...markup.matchAll(/<script>([\s\S]*?)<\/script>/g)].map(([, code = ""]) => code);
    expect(inline).toHaveLength(2);
    for (const code of inline) {
      expect(policy).toContain(`'sha256-${createHash("sha256").update(code).digest("base64")}'`);
    }
    expect(policy).not.toContain("unsafe");
    expect(markup).not.toMatch(/ on\w+="|javascript:|<style/);
  });

  it("loads its style and its script from addresses that change with them", async () => {
    const markup = await (await open("/docs")).text();
    const names = [...markup.matchAll(/"\/docs\/files\/([^"]+)"/g)].map(([, name = ""]) => name);
    expect(names.map((name) => name.split(".")[1]).sort()).toEqual(["css", "js"]);
    for (const name of names) {
      const response = await file(new Request("http://almanac.test/"), { params: Promise.resolve({ name }) });
      expect(response.headers.get("cache-control")).toContain("immutable");
      expect(name).toContain(
        createHash("sha256")
          .update(await response.text())
          .digest("hex")
          .slice(0, 16),
      );
    }
  });

  it("has an ETag: who has it gets 304, who has another gets the page", async () => {
    const etag = (await open("/docs/limits")).headers.get("etag") ?? "";
    expect((await open("/docs/limits", { "if-none-match": `"other", W/${etag}` })).status).toBe(304);
    expect((await open("/docs/errors", { "if-none-match": etag })).status).toBe(200);
  });

  it("is 404 where there is none, with the way back", async () => {
    for (const path of ["/docs/nothing", "/docs/reference/nothing", "/docs/reference/listEvents/more", "/docs/<b>"]) {
      const response = await open(path);
      expect(response.status, path).toBe(404);
      expect(await response.text()).toContain("Page not found");
    }
    const missing = await file(new Request("http://almanac.test/"), { params: Promise.resolve({ name: "docs-0.js" }) });
    expect([missing.status, await missing.json()]).toMatchObject([404, { error: "not_found" }]);
  });

  it("is found at its new address by who has the old one", async () => {
    const response = await open("/docs/production");
    expect([response.status, response.headers.get("location")]).toEqual([308, "/docs/install"]);
  });

  it("is only read", async () => {
    const response = await POST(new Request("http://almanac.test/docs", { method: "POST" }), {
      params: Promise.resolve({}),
    });
    expect([response.status, response.headers.get("allow")]).toEqual([405, "GET, HEAD"]);
  });
});
