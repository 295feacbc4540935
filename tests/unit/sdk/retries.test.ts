import { describe, expect, it } from "vitest";
import { Almanac, type AlmanacOptions, ApiError, ConnectionError, RateLimitError, ServerError } from "@/sdk/src/index";
import { type Step, scriptedService } from "@/tests/fakes/scripted-service";

const account = { status: 200, body: JSON.stringify({ account: { account_id: "acc_1" } }) };
const written = { status: 202 };
const now = Date.parse("2026-11-24T10:00:00Z");

async function scene(steps: Step[], options: Partial<AlmanacOptions> = {}) {
  const { baseUrl, requests } = await scriptedService(...steps);
  const waits: number[] = [];
  const almanac = new Almanac({
    baseUrl: `${baseUrl}/`,
    clientId: "client",
    clientSecret: "secret",
    now: () => now,
    random: () => 0,
    sleep: async (milliseconds) => {
      waits.push(milliseconds);
    },
    ...options,
  });
  const client = almanac.account({ accessToken: "at_1", refreshToken: "rt_1" });
  return { almanac, client, requests, waits };
}

async function thrownBy(call: Promise<unknown>): Promise<unknown> {
  return await call.then(
    () => undefined,
    (error) => error,
  );
}

describe("a request that may be repeated", () => {
  it.each<[string, Step]>([
    ["500", { status: 500 }],
    ["503", { status: 503 }],
    ["a proxy's 502 with a page", { status: 502, headers: { "content-type": "text/html" }, body: "<h1>Bad</h1>" }],
    ["a broken connection", "broken"],
    ["a body that breaks off", "broken in the body"],
  ])("is sent again after %s", async (_, step) => {
    const { client, requests, waits } = await scene([step, account]);
    expect(await client.get()).toEqual({ account_id: "acc_1" });
    expect(requests.map(({ method, url }) => `${method} ${url}`)).toEqual(["GET /v1/account", "GET /v1/account"]);
    expect(waits).toEqual([250]);
  });

  it("is one that writes or deletes an event, changes an occurrence, or closes a channel", async () => {
    const again = [{ status: 500 }, written];
    const { client, requests } = await scene([...again, ...again, ...again, ...again]);
    await client.events.write("cal_1", { event_id: "1", summary: "s", start: "2026-11-24", end: "2026-11-25" });
    await client.events.delete("cal_1", { event_id: "1" });
    await client.events.changeOccurrence("cal_1", { event_id: "1", occurrence_date: "2026-11-24", summary: "t" });
    await client.channels.close("chn_1");
    expect(requests).toHaveLength(8);
  });

  it("waits longer each time, half of it at random, and gives up after its last retry", async () => {
    const failing = Array.from({ length: 9 }, () => ({ status: 503 }));
    for (const [random, expected] of [
      [0, [250, 500, 1_000, 2_000, 4_000, 8_000, 10_000, 10_000]],
      [1, [500, 1_000, 2_000, 4_000, 8_000, 16_000, 20_000, 20_000]],
    ] as const) {
      const { client, requests, waits } = await scene(failing, { random: () => random, maxRetries: 8 });
      expect(await thrownBy(client.get())).toBeInstanceOf(ServerError);
      expect(waits).toEqual(expected);
      expect(requests).toHaveLength(9);
    }
  });

  it("is sent four times at most, unless the client or the call says otherwise", async () => {
    const failing = Array.from({ length: 9 }, () => ({ status: 503 }));
    const unchanged = await scene(failing);
    await thrownBy(unchanged.client.get());
    expect(unchanged.requests).toHaveLength(4);
    const called = await scene(failing);
    await thrownBy(called.client.get({ maxRetries: 0 }));
    expect(called.requests).toHaveLength(1);
  });
});

describe("a request that must not be repeated", () => {
  it.each<[string, Step]>([
    ["500", { status: 500 }],
    ["503", { status: 503, headers: { "retry-after": "1" } }],
    ["a broken connection", "broken"],
  ])("is not sent again after %s", async (_, step) => {
    const { almanac, client, requests, waits } = await scene([step, step, step]);
    await thrownBy(client.channels.create({ callback_url: "https://app.acme.io/hook" }));
    await thrownBy(client.linkTokens.create());
    await thrownBy(almanac.exchangeCode({ code: "code", redirectUri: "https://app.acme.io/callback" }));
    expect(requests).toHaveLength(3);
    expect(waits).toEqual([]);
  });

  it("is a change with a condition, which the first may have made untrue, and one that moves a whole series", async () => {
    const { client, requests } = await scene(Array.from({ length: 3 }, () => ({ status: 503 })));
    await thrownBy(client.events.update("evt_1", { summary: "s" }, { ifMatch: '"1"' }));
    await thrownBy(client.events.deleteByUid("evt_1", { ifMatch: '"1"' }));
    await thrownBy(client.events.update("evt_1", { start: "2026-11-24", end: "2026-11-25" }, { scope: "all" }));
    expect(requests.map(({ headers }) => headers["if-match"])).toEqual(['"1"', '"1"', undefined]);
  });
});

describe("Retry-After", () => {
  it.each([
    ["7", 7_000],
    ["0", 250],
    ["Tue, 24 Nov 2026 10:00:12 GMT", 12_000],
    ["Tue, 24 Nov 2026 09:59:00 GMT", 250],
    ["soon", 250],
  ])("of %s is waited for", async (value, expected) => {
    const { client, waits } = await scene([{ status: 503, headers: { "retry-after": value } }, account]);
    await client.get();
    expect(waits).toEqual([expected]);
  });

  it("is extended by up to a tenth at random", async () => {
    const steps = [{ status: 429, headers: { "retry-after": "10" } }, account];
    const { client, waits } = await scene(steps, { random: () => 1 });
    await client.get();
    expect(waits).toEqual([11_000]);
  });

  it("of over a minute ends the call at once, with the seconds", async () => {
    const { client, requests } = await scene([{ status: 429, headers: { "retry-after": "61" } }]);
    const error = await thrownBy(client.get());
    expect(error).toBeInstanceOf(RateLimitError);
    expect(error).toMatchObject({ retryAfter: 61 });
    expect(requests).toHaveLength(1);
  });
});

describe("a caller's signal", () => {
  it("ends a request that is on its way", async () => {
    const { client, requests } = await scene(["silent"]);
    const controller = new AbortController();
    const call = thrownBy(client.get({ signal: controller.signal }));
    await expect.poll(() => requests.length).toBe(1);
    const reason = new Error("enough");
    controller.abort(reason);
    expect(await call).toBe(reason);
  });

  it("ends a wait, with the client's own sleep", async () => {
    const { client, requests } = await scene([{ status: 503, headers: { "retry-after": "50" } }], { sleep: undefined });
    const controller = new AbortController();
    const call = thrownBy(client.get({ signal: controller.signal }));
    await expect.poll(() => requests.length).toBe(1);
    controller.abort("enough");
    expect(await call).toBe("enough");
  });

  it("that is aborted already sends nothing", async () => {
    const { client, requests } = await scene([account]);
    expect(await thrownBy(client.get({ signal: AbortSignal.abort("before") }))).toBe("before");
    expect(requests).toEqual([]);
  });
});

describe("what is no response of the service", () => {
  it("is a ConnectionError after the timeout of each attempt", async () => {
    const { client, requests } = await scene(["silent", "silent"]);
    const error = await thrownBy(client.get({ timeoutMs: 50, maxRetries: 1 }));
    expect(error).toBeInstanceOf(ConnectionError);
    expect(error).toMatchObject({ isTimeout: true, message: "GET /v1/account got no response in time" });
    expect(requests).toHaveLength(2);
  });

  it("is a ConnectionError with its cause where nothing listens", async () => {
    const { client } = await scene([], { baseUrl: "http://127.0.0.1:1" });
    const error = await thrownBy(client.get({ maxRetries: 0 }));
    expect(error).toBeInstanceOf(ConnectionError);
    expect(error).toMatchObject({ isTimeout: false, cause: expect.any(Error) });
  });

  it.each<[Step, number]>([
    [{ status: 200, body: "<h1>Sign in to the wifi</h1>" }, 200],
    [{ status: 302, headers: { location: "https://elsewhere.example/" } }, 302],
    [{ status: 422, body: JSON.stringify({ errors: "no" }) }, 422],
    [{ status: 400, body: "<h1>Bad</h1>" }, 400],
  ])("is an ApiError: %j", async (step, status) => {
    const { client, requests } = await scene([step]);
    const error = await thrownBy(client.get());
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({ name: "ApiError", status });
    // A redirect is not followed: the token would go along.
    expect(requests).toHaveLength(1);
  });

  it("does not stop at a next page of another host: the token stays with the address that the client was given", async () => {
    const page = (number: number, next?: string) => ({
      status: 200,
      body: JSON.stringify({
        events: [{ summary: `${number}` }],
        pages: { current: number, total: 2, next_page: next },
      }),
    });
    const { client, requests } = await scene([
      page(1, "https://elsewhere.example/v1/events?cursor=a%20b&x=1"),
      page(2),
    ]);
    const events = await client.events.list({ tzid: "Etc/UTC", calendar_ids: ["a", "b"], from: undefined }).toArray();
    expect(events.map(({ summary }) => summary)).toEqual(["1", "2"]);
    expect(requests.map(({ url }) => url)).toEqual([
      "/v1/events?tzid=Etc%2FUTC&calendar_ids%5B%5D=a&calendar_ids%5B%5D=b",
      "/v1/events?cursor=a%20b&x=1",
    ]);
    expect(requests.map(({ headers }) => headers.authorization)).toEqual(["Bearer at_1", "Bearer at_1"]);
  });
});
