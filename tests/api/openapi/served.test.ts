import { describe, expect, it } from "vitest";
import { servedDocument } from "@/server/http/openapi/served";
import { call } from "../service";

describe("GET /openapi.json", () => {
  it("is the document with this service's own addresses", async () => {
    const answer = await call("GET", "/openapi.json");
    expect(answer.status).toBe(200);
    expect(answer.headers.get("content-type")).toBe("application/json; charset=utf-8");
    expect(answer.headers.get("svc-request-id")).toMatch(/^req_/);
    expect(answer.headers.get("access-control-allow-origin")).toBeNull();
    expect(answer.json).toEqual(JSON.parse(JSON.stringify(servedDocument())));
    expect(answer.json.servers[0].url).toBe("http://api.almanac.localhost");
  });

  it("is 304 for who has it", async () => {
    const first = await call("GET", "/openapi.json");
    const etag = first.headers.get("etag") ?? "";
    expect(first.headers.get("cache-control")).toBe("public, max-age=300");
    for (const sent of [etag, `"other", W/${etag}`, "*"]) {
      const again = await call("GET", "/openapi.json", { headers: { "if-none-match": sent } });
      expect(again).toMatchObject({ status: 304, text: "" });
      expect(again.headers.get("etag")).toBe(etag);
    }
    expect(await call("GET", "/openapi.json", { headers: { "if-none-match": '"other"' } })).toMatchObject({
      status: 200,
    });
  });

  it("has nothing but GET and HEAD", async () => {
    expect(await call("HEAD", "/openapi.json")).toMatchObject({ status: 200, text: "" });
    const posted = await call("POST", "/openapi.json", { json: {} });
    expect(posted.status).toBe(405);
    expect(posted.headers.get("allow")).toBe("GET, HEAD");
  });
});
