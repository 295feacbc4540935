import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import { buffer } from "node:stream/consumers";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { beforeAll, describe, expect, it } from "vitest";
import * as eventsRoute from "@/app/v1/events/route";
import { addCalendars, storeProviderEvents } from "../fakes/stored-events";
import { loggedRequests } from "../fakes/stored-traffic";
import { dayFromNow } from "./dates";
import { address, call, type Opened, openCalendar } from "./service";

const PAGE = "/v1/events?tzid=Etc/UTC";
const decoded: Record<string, (bytes: Buffer) => Buffer> = { gzip: gunzipSync, br: brotliDecompressSync };

let account: Opened;
let small: Opened;
beforeAll(async () => {
  account = await openCalendar();
  small = await openCalendar();
  await addCalendars(account, 60);
  await storeProviderEvents(
    Array.from({ length: 100 }, (_, i) => ({
      calendarId: account.calendarId,
      start: `${dayFromNow(i)}T10:00:00Z`,
      end: `${dayFromNow(i)}T11:00:00Z`,
      summary: `Zürich ${i}`,
    })),
  );
});

async function ask(method: string, path: string, headers: Record<string, string>, { accessToken } = account) {
  const { hostname, port } = new URL(await address());
  const authorization = `Bearer ${accessToken}`;
  const sent = request({ hostname, port, method, path, headers: { authorization, ...headers }, agent: false });
  sent.end();
  const [answer]: IncomingMessage[] = (await once(sent, "response")) as [IncomingMessage];
  if (!answer) throw new Error("there was no answer");
  const bytes = await buffer(answer);
  const coding = answer.headers["content-encoding"];
  const text = (coding && bytes.length > 0 ? decoded[coding]?.(bytes) : bytes)?.toString();
  return { status: answer.statusCode, headers: answer.headers, bytes, coding, text };
}

/** What changes from request to request is left out. */
function comparable({ status, headers, text }: Awaited<ReturnType<typeof ask>>) {
  const { "content-encoding": _1, "content-length": _2, date: _3, "svc-request-id": _4, ...rest } = headers;
  const { "ratelimit-remaining": _5, "ratelimit-reset": _6, ...kept } = rest;
  return { status, kept, text };
}

describe("a response of 8 KiB or more", () => {
  it.each([
    ["gzip", "gzip"],
    ["gzip, deflate", "gzip"],
    ["gzip, deflate, br", "br"],
    ["gzip, deflate, br, zstd", "br"],
    ["br", "br"],
    ["GZip", "gzip"],
    ["*", "br"],
    ["br;q=0, *", "gzip"],
    ["gzip;q=1.0, br;q=0.5", "gzip"],
    ["gzip;q=0.5", "gzip"],
    ["br;q=0.2, gzip;q=0.3, identity;q=0.1", "gzip"],
    ["identity;q=0, gzip", "gzip"],
    ["gzip, nonsense;q=x, ;;", "gzip"],
    ["identity", undefined],
    ["gzip;q=0", undefined],
    ["gzip;q=0, br;q=0", undefined],
    ["br;q=0, gzip;q=0, *", undefined],
    ["gzip;q=0.5, identity", undefined],
    ["deflate", undefined],
    ["zstd", undefined],
    ["*;q=0", undefined],
    ["identity;q=0", undefined],
    ["", undefined],
    ["gzip;q=x", undefined],
  ])("with Accept-Encoding %j is sent with Content-Encoding %s", async (accepted, coding) => {
    const [plain, answer] = [await ask("GET", PAGE, {}), await ask("GET", PAGE, { "accept-encoding": accepted })];
    expect(plain.bytes.length).toBeGreaterThan(8_192);
    expect(answer.coding).toBe(coding);
    expect(answer.headers.vary).toBe("Accept-Encoding");
    expect(Number(answer.headers["content-length"])).toBe(answer.bytes.length);
    if (coding) expect(answer.bytes.length).toBeLessThan(plain.bytes.length / 4);
    expect(comparable(answer)).toEqual(comparable(plain));
  });

  it.each([PAGE, "/v1/free_busy?tzid=Etc/UTC", "/v1/calendars", "/v1/profiles", "/v1/userinfo"])(
    "of GET %s is compressed, and HEAD says the same without a body",
    async (path) => {
      for (const [accepted, coding] of [
        ["gzip", "gzip"],
        ["br", "br"],
      ]) {
        const plain = await ask("GET", path, {});
        const answer = await ask("GET", path, { "accept-encoding": accepted ?? "" });
        expect([answer.status, answer.coding, answer.text]).toEqual([200, coding, plain.text]);
        const head = await ask("HEAD", path, { "accept-encoding": accepted ?? "" });
        expect([head.status, head.coding, head.headers.vary]).toEqual([200, coding, "Accept-Encoding"]);
        expect(head.bytes.length).toBe(0);
        expect((await ask("HEAD", path, {})).coding).toBeUndefined();
      }
    },
  );

  it("is the same bytes through the route's web handler", async () => {
    const headers = { authorization: `Bearer ${account.accessToken}`, "accept-encoding": "gzip" };
    const web = await eventsRoute.GET(new Request(`http://localhost${PAGE}`, { headers }), {
      params: Promise.resolve({}),
    });
    const direct = await ask("GET", PAGE, { "accept-encoding": "gzip" });
    expect(web.headers.get("content-encoding")).toBe("gzip");
    expect(web.headers.get("vary")).toBe("Accept-Encoding");
    expect(gunzipSync(Buffer.from(await web.arrayBuffer())).toString()).toBe(direct.text);
  });

  it("is read by fetch as before", async () => {
    const answer = await account.get("/v1/events", { tzid: "Etc/UTC" });
    expect(answer.headers.get("content-encoding")).toBe("gzip");
    expect(answer.json.events).toHaveLength(100);
  });

  it("is in the request log as it was before it was compressed", async () => {
    const [compressed, plain] = [`test-${Date.now()}-gzip`, `test-${Date.now()}-plain`];
    await ask("GET", "/v1/calendars", { "accept-encoding": "gzip", "svc-request-id": compressed });
    await ask("GET", "/v1/calendars", { "svc-request-id": plain });
    const [[one], [other]] = [await loggedRequests(compressed), await loggedRequests(plain)];
    expect(one).toMatchObject({ responseHeaders: { "content-encoding": "gzip", vary: "Accept-Encoding" } });
    expect(one?.responseBody).toEqual(other?.responseBody);
    expect(one?.responseBody).not.toBeNull();
  });

  it("is whole for each of many who ask at once, though what they are written into is used again", async () => {
    const codings = ["gzip", "br", "identity"];
    const answers = await Promise.all(
      Array.from({ length: 60 }, (_, i) => ask("GET", PAGE, { "accept-encoding": codings[i % 3] ?? "" })),
    );
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
  });

  it("is no harm to others where its client leaves in the middle", async () => {
    const { hostname, port } = new URL(await address());
    const authorization = `Bearer ${account.accessToken}`;
    const headers = { authorization, "accept-encoding": "gzip" };
    for (let i = 0; i < 20; i++) {
      const sent = request({ hostname, port, path: PAGE, headers, agent: false });
      sent.on("error", () => {});
      sent.end();
      if (i % 2 === 0) await once(sent, "socket");
      else await once(sent, "response");
      sent.destroy();
    }
    expect(await ask("GET", PAGE, { "accept-encoding": "gzip" })).toMatchObject({ status: 200, coding: "gzip" });
  });
});

describe("a response that stays as it is", () => {
  it("is a small one", async () => {
    for (const path of [PAGE, "/v1/account", "/v1/calendars"]) {
      const answer = await ask("GET", path, { "accept-encoding": "gzip, br" }, small);
      expect([answer.status, answer.coding, answer.headers.vary]).toEqual([200, undefined, undefined]);
    }
  });

  it("is small only for those who accept it plain", async () => {
    const answer = await ask("GET", "/v1/account", { "accept-encoding": "gzip, identity;q=0" }, small);
    expect([answer.coding, answer.headers.vary]).toEqual(["gzip", "Accept-Encoding"]);
    expect(JSON.parse(answer.text ?? "")).toMatchObject({ account: { account_id: small.accountId } });
    const other = await ask("GET", "/v1/account", { "accept-encoding": "gzip;q=0.5" }, small);
    expect(other.coding).toBeUndefined();
  });

  it("is one with a secret, however large it is", async () => {
    const filters = { calendar_ids: Array.from({ length: 200 }, (_, i) => `cal_${"x".repeat(80)}${i}`) };
    const answer = await call("POST", "/v1/channels", {
      json: { callback_url: "https://hooks.acme.io/cb", filters },
      headers: { authorization: `Bearer ${small.accessToken}`, "accept-encoding": "gzip, br" },
    });
    expect(answer.text.length).toBeGreaterThan(8_192);
    expect(answer.json.channel.signing_secret).toMatch(/^whsec_/);
    expect(answer.headers.get("content-encoding")).toBeNull();
  });

  it("is one without a body", async () => {
    const unknown = await ask("GET", PAGE, { "accept-encoding": "gzip", authorization: "Bearer at_unknown" });
    expect([unknown.status, unknown.coding, unknown.bytes.length]).toEqual([401, undefined, 0]);
    const missing = await ask("GET", "/v1/nothing", { "accept-encoding": "gzip, identity;q=0" });
    expect([missing.status, missing.coding]).toEqual([404, undefined]);
  });
});
