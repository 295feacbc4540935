import { describe, expect, it } from "vitest";
import { call } from "./service";

const NOTHING = { error: "not_found", description: expect.stringContaining("/openapi.json") };
const browser = { accept: "text/html,application/xhtml+xml,*/*;q=0.8" };

describe("an address that nothing stands at", () => {
  it.each(["/nope", "/dashboards", "/nope/deeper?a=1"])(
    "shows a browser a page, with its status and id: %s",
    async (path) => {
      const answer = await call("GET", path, { headers: browser });
      expect([answer.status, answer.headers.get("content-type")]).toEqual([404, "text/html; charset=utf-8"]);
      expect(answer.text).toMatch(/<title>Page not found · Almanac<\/title>/);
      expect(answer.text).toContain("<h1>Page not found</h1>");
      const id = answer.headers.get("svc-request-id");
      expect(id).toMatch(/^req_[0-9a-f]{24}$/);
      expect(answer.text).toContain(`<code>${id}</code>`);
      expect(answer.headers.get("cache-control")).toBe("no-store");
      expect(answer.headers.get("content-security-policy")).toContain("default-src 'none'");
      expect(answer.text).not.toContain("<script");
    },
  );

  it("shows what a caller chose as request id only as text", async () => {
    const given = "<script>alert(1)</script>";
    const answer = await call("GET", "/nope", { headers: { ...browser, "svc-request-id": given } });
    expect(answer.text).not.toContain("<script");
  });

  it.each(["/v1/nope", "/oauth/nope", "/api/nope", "/health/nope"])(
    "is JSON where the API is, for browsers too: %s",
    async (path) => {
      const answer = await call("GET", path, { headers: browser });
      expect([answer.status, answer.json]).toEqual([404, NOTHING]);
    },
  );

  it("is JSON for programs and for other methods", async () => {
    for (const [method, headers] of [
      ["GET", { accept: "*/*" }],
      ["GET", {}],
      ["POST", browser],
      ["HEAD", browser],
    ] as const) {
      const answer = await call(method, "/nope", { headers });
      expect([method, answer.status, answer.json]).toEqual([method, 404, method === "HEAD" ? undefined : NOTHING]);
    }
  });
});
