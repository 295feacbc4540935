import { createHmac } from "node:crypto";
import canonicalize from "canonicalize";
import { beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { context } from "@/server/context";
import { provideEnv } from "@/server/env";
import { inngestRoute } from "@/server/jobs/inngest-route";
import { fakeClock } from "@/tests/fakes/clock";

const KEY = `signkey-test-${"0123456789abcdef".repeat(4)}`;
/** Of an Inngest server whose key is being changed. */
const FALLBACK = `signkey-test-${"fedcba9876543210".repeat(4)}`;
const URL_OF_DOOR = "http://localhost/api/inngest?fnId=almanac-notify&stepId=step";
const HEX = "0123456789abcdef".repeat(4);
const now = () => Math.floor(Date.now() / 1000);
const { POST, PUT } = inngestRoute();

beforeAll(() => {
  const keys = { INNGEST_EVENT_KEY: "e", INNGEST_SIGNING_KEY: KEY, INNGEST_SIGNING_KEY_FALLBACK: FALLBACK };
  provideEnv({ BASE_URL: "http://localhost", LOG_LEVEL: "silent", ...keys });
});

/** A request whose body is heard of when anybody reads it. */
function unread(headers: Record<string, string>, method = "POST") {
  const read = vi.fn();
  const body = new ReadableStream({ pull: () => read() }, { highWaterMark: 0 });
  const request = new Request(URL_OF_DOOR, { method, headers, body, duplex: "half" } as RequestInit);
  return { request, read };
}

function signed(text: string, { key = KEY, at = now() } = {}) {
  const signature = createHmac("sha256", key.replace("signkey-test-", ""))
    .update(`${canonicalize(JSON.parse(text))}${at}`)
    .digest("hex");
  return new Request(URL_OF_DOOR, {
    method: "POST",
    headers: { "x-inngest-signature": `t=${at}&s=${signature}`, "content-type": "application/json", host: "localhost" },
    body: text,
  });
}

describe("a call of Inngest", () => {
  it.each([
    ["no signature", undefined],
    ["an empty one", ""],
    ["any text", "x"],
    ["no time", `s=${HEX}`],
    ["no HMAC", `t=${now()}`],
    ["half an HMAC", `t=${now()}&s=${HEX.slice(32)}`],
    ["letters that are no hex", `t=${now()}&s=${HEX.replaceAll("a", "z")}`],
    ["something behind it", `t=${now()}&s=${HEX}&x=1`],
    ["an old one", `t=${now() - 330}&s=${HEX}`],
    ["one from the future", `t=${now() + 330}&s=${HEX}`],
    ["no number for the time", `t=NaN&s=${HEX}`],
  ])("with %s is refused before a byte of its body is read", async (_, signature) => {
    for (const [method, send] of [
      ["POST", POST],
      ["PUT", PUT],
    ] as const) {
      const headers = {
        "x-inngest-sync-kind": "in_band",
        ...(signature !== undefined && { "x-inngest-signature": signature }),
      };
      const { request, read } = unread(headers, method);
      expect((await send(request)).status).toBe(401);
      expect(read).not.toHaveBeenCalled();
    }
  });

  it("is refused by its announced length, unread, when it is longer than any signal", async () => {
    const { request, read } = unread({ "x-inngest-signature": `t=${now()}&s=${HEX}`, "content-length": "65537" });
    expect((await POST(request)).status).toBe(413);
    expect(read).not.toHaveBeenCalled();
  });

  it("is judged by the service's clock", async () => {
    const clock = fakeClock();
    const signature = `t=${Math.floor(clock.now() / 1000)}&s=${HEX}`;
    clock.advance(400_000);
    expect((await POST(unread({ "x-inngest-signature": signature }).request)).status).toBe(401);
  });

  const text = JSON.stringify({
    version: 2,
    event: { name: "almanac/none", data: {} },
    events: [],
    steps: {},
    ctx: { run_id: "1", attempt: 0 },
  });

  it("with a good signature comes to the SDK, and with a forged one is refused by it", async () => {
    const forged = signed(text);
    expect((await POST(new Request(forged, { body: text.replace("none", "some"), method: "POST" }))).status).toBe(401);
    const status = (await POST(signed(text))).status;
    expect([401, 413]).not.toContain(status);
  });

  it("may be signed with the other key while the key of the server changes, and with no third one", async () => {
    expect((await POST(signed(text, { key: FALLBACK }))).status).not.toBe(401);
    expect((await POST(signed(text, { key: KEY.replace("0", "1") }))).status).toBe(401);
  });

  it("is sent away while this process ends, so that another takes it", async () => {
    onTestFinished(() => {
      context.isDraining = false;
    });
    context.isDraining = true;
    const { request, read } = unread({ "x-inngest-signature": `t=${now()}&s=${HEX}` });
    expect((await POST(request)).status).toBe(503);
    expect(read).not.toHaveBeenCalled();
  });
});
