import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { dayFromNow } from "./dates";
import { credentialsOf } from "./grants";
import { expectEmpty, expectIssues } from "./responses";
import { type ApiResponse, call, newApplication, type Opened, openCalendar } from "./service";

const DAY = dayFromNow(10);
const meeting = { event_id: "1", summary: "Zürich", start: `${DAY}T09:00:00Z`, end: `${DAY}T10:00:00Z` };

async function prepare() {
  const opened = await openCalendar();
  const path = `/v1/calendars/${opened.calendarId}/events`;
  const send = (method: string, body: BodyInit, encoding: string): Promise<ApiResponse> =>
    call(method, path, {
      body,
      headers: {
        "content-type": "application/json",
        "content-encoding": encoding,
        authorization: `Bearer ${opened.accessToken}`,
      },
    });
  return { opened, path, send };
}

async function summaries({ get }: Opened): Promise<string[]> {
  const { json } = await get("/v1/events", { tzid: "Etc/UTC", include_managed: "true" });
  return json.events.map(({ summary }: { summary: string }) => summary);
}

describe("a request body", () => {
  it.each([
    ["gzip", gzipSync],
    ["x-gzip", gzipSync],
    ["deflate", deflateSync],
  ])("compressed with %s is read", async (encoding, compress) => {
    const { opened, send } = await prepare();
    expectEmpty(await send("POST", compress(JSON.stringify(meeting)), encoding), 202);
    expect(await summaries(opened)).toEqual(["Zürich"]);
    const long = { ...meeting, event_id: "2", summary: "Long", description: "𝄞".repeat(50_000) };
    expectEmpty(await send("POST", compress(JSON.stringify(long)), encoding), 202);
    expectIssues(await send("POST", compress(JSON.stringify({ ...meeting, summary: 5 })), encoding), {
      summary: "errors.invalid_type",
    });
    expectEmpty(await send("DELETE", compress(JSON.stringify({ event_id: "1" })), encoding), 202);
    expect(await summaries(opened)).toEqual(["Long"]);
  });

  it("compressed as a form opens an application calendar and gets tokens", async () => {
    const application = await newApplication();
    const headers = { "content-type": "application/x-www-form-urlencoded", "content-encoding": "gzip" };
    const form = (fields: object) =>
      gzipSync(new URLSearchParams({ ...credentialsOf(application), ...fields }).toString());
    const body = form({ application_calendar_id: "room" });
    const opened = await call("POST", "/v1/application_calendars", { headers, body });
    expect(opened.status).toBe(200);
    const refresh = form({ grant_type: "refresh_token", refresh_token: opened.json.refresh_token });
    expect((await call("POST", "/oauth/token", { headers, body: refresh })).status).toBe(200);
  });

  it("may be as large as its limit, inflated: 413 for one that inflates to more", async () => {
    const { opened, send } = await prepare();
    const bomb = gzipSync(Buffer.alloc(17 * 1024 * 1024, 0x20));
    expect(bomb.length).toBeLessThan(64 * 1024);
    expectEmpty(await send("POST", bomb, "gzip"), 413);
    const application = await newApplication();
    const padded = JSON.stringify({ ...credentialsOf(application), padding: "x".repeat(64 * 1024) });
    const headers = { "content-type": "application/json", "content-encoding": "gzip" };
    expectEmpty(await call("POST", "/oauth/token", { headers, body: gzipSync(padded) }), 413);
    expect(await summaries(opened)).toEqual([]);
  });

  it("that is damaged is errors.invalid_json", async () => {
    const { send } = await prepare();
    const answer = await send("POST", gzipSync(JSON.stringify(meeting)).subarray(0, -9), "gzip");
    expectIssues(answer, { base: "errors.invalid_json" });
    expect(answer.json.errors.base[0].description).toBe("The compressed body is damaged, or did not arrive in full");
  });

  it("in another encoding is 415, with those that are read in Accept-Encoding", async () => {
    const { opened, send } = await prepare();
    for (const encoding of ["br", "zstd", "gzip, gzip"]) {
      const answer = await send("POST", brotliCompressSync(JSON.stringify(meeting)), encoding);
      expectEmpty(answer, 415);
      expect(answer.headers.get("accept-encoding")).toBe("gzip, deflate");
    }
    const headers = { "content-type": "application/json", "content-encoding": "br" };
    const body = brotliCompressSync(JSON.stringify(credentialsOf(opened.application)));
    expectEmpty(await call("POST", "/oauth/token", { headers, body }), 415);
    expect(await summaries(opened)).toEqual([]);
  });

  it.each(["gzip;q=1.0,deflate;q=0.6,identity;q=0.3", "gzip", "deflate", "br", "utf-8", "identity"])(
    "that is plain is read whatever Content-Encoding says: %s",
    async (encoding) => {
      const { opened, send } = await prepare();
      expectEmpty(await send("POST", JSON.stringify(meeting), encoding), 202);
      expect(await summaries(opened)).toEqual(["Zürich"]);
    },
  );
});
