import { describe, expect, it } from "vitest";
import { RateLimitError } from "@/sdk/src/index";
import { fakeClock } from "../../fakes/clock";
import { newClient, openedWith } from "./client";

const BURST = 150;

describe("a client over the rate limit", () => {
  it("waits as long as Retry-After says, and then goes on", async () => {
    const client = await newClient({ fake: fakeClock() });
    const { account } = await openedWith(client);
    for (let taken = 1; taken < BURST; taken += 1) await account.get();
    expect(client.waits).toEqual([]);
    await account.get();
    expect(client.responses.slice(-2)).toMatchObject([
      { status: 429, attempt: 1 },
      { status: 200, attempt: 2 },
    ]);
    // A second, and at random up to a tenth of it more.
    expect(client.waits).toEqual([1_050]);
  });

  it("sends again what it would send once otherwise: a 429 was rejected before anything was done", async () => {
    const client = await newClient({ fake: fakeClock() });
    const { account } = await openedWith(client);
    for (let taken = 1; taken < BURST; taken += 1) await account.get();
    await account.channels.create({ callback_url: "https://app.acme.io/hook" });
    expect(client.waits).toEqual([1_050]);
    expect(await account.channels.list()).toHaveLength(1);
  });

  it("gives up with the seconds to wait, once it has no retries left", async () => {
    fakeClock();
    const client = await newClient({ maxRetries: 2 });
    const { account } = await openedWith(client);
    for (let taken = 1; taken < BURST; taken += 1) await account.get();
    const error = await account.get().catch((thrown) => thrown);
    expect(error).toBeInstanceOf(RateLimitError);
    expect(error).toMatchObject({ status: 429, retryAfter: 1 });
    // Here no time passes for the service, so the client was rejected again.
    expect(client.waits).toEqual([1_050, 1_050]);
  });
});
