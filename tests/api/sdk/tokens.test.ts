import { beforeEach, describe, expect, it } from "vitest";
import { OAuthError, type TokenStore, type Tokens } from "@/sdk/src/index";
import { type FakeClock, fakeClock } from "../../fakes/clock";
import { loggedRequests } from "../../fakes/stored-traffic";
import { applicationId } from "../grants";
import type { Application } from "../service";
import { newClient, openedWith } from "./client";

const HOUR = 3_600_000;

let clock: FakeClock;

beforeEach(() => {
  clock = fakeClock();
});

/** Keeps the tokens as an application's database does. */
function storeOf(first: Partial<Tokens> & Pick<Tokens, "refreshToken">) {
  const saved: Tokens[] = [];
  const loads: number[] = [];
  const store: TokenStore = {
    load: async () => {
      loads.push(1);
      return saved.at(-1) ?? first;
    },
    save: async (tokens) => {
      saved.push(tokens);
    },
  };
  return { store, saved, loads };
}

/** POST /oauth/token as the service's own request log counts them. */
async function refreshesOf(application: Application): Promise<number> {
  const owner = await applicationId(application);
  return (await loggedRequests({ path: "/oauth/token" })).filter((row) => row.applicationId === owner).length;
}

describe("the access token of an account", () => {
  it("is refreshed once before it expires, for 20 concurrent calls, and saved once", async () => {
    const client = await newClient();
    const { connection } = await openedWith(client);
    const { store, saved, loads } = storeOf(connection);
    const account = client.almanac.account(store);
    clock.advance(3 * HOUR - 60_001);
    await account.get();
    expect(await refreshesOf(client.application)).toBe(0);
    clock.advance(1);
    const all = await Promise.all(Array.from({ length: 20 }, () => account.get()));
    expect(new Set(all.map(({ account_id }) => account_id))).toEqual(new Set([connection.accountId]));
    expect(await refreshesOf(client.application)).toBe(1);
    expect(client.responses.filter(({ status }) => status === 401)).toEqual([]);
    expect(loads).toHaveLength(1);
    // What the application keeps beside the tokens stays.
    expect(saved).toEqual([
      { ...connection, accessToken: expect.stringMatching(/^at_/), expiresAt: clock.now() + 3 * HOUR },
    ]);
    expect(saved[0]?.accessToken).not.toBe(connection.accessToken);
  });

  it("is refreshed once after a 401, for 20 concurrent calls, where nobody knows when it expires", async () => {
    const client = await newClient();
    const { accessToken, refreshToken } = (await openedWith(client)).connection;
    const account = client.almanac.account({ accessToken, refreshToken });
    clock.advance(3 * HOUR);
    await Promise.all(Array.from({ length: 20 }, () => account.get()));
    expect(await refreshesOf(client.application)).toBe(1);
    expect(client.responses.filter(({ status }) => status === 401)).toHaveLength(20);
    await account.get();
    expect(await refreshesOf(client.application)).toBe(1);
  });

  it("is refreshed once for several clients of the same account", async () => {
    const client = await newClient();
    const { refreshToken } = (await openedWith(client)).connection;
    await Promise.all(Array.from({ length: 20 }, () => client.almanac.account({ refreshToken }).get()));
    expect(await refreshesOf(client.application)).toBe(1);
  });

  it("is not refreshed again for a call that began with an older one", async () => {
    const client = await newClient();
    const { refreshToken } = (await openedWith(client)).connection;
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    let isFirst = true;
    const slow = await newClient(
      {
        fetch: async (url, init) => {
          const response = await fetch(url, init);
          if (response.status === 401 && isFirst) {
            isFirst = false;
            await held;
          }
          return response;
        },
      },
      client.application,
    );
    const account = slow.almanac.account({ accessToken: "at_expired", refreshToken });
    const first = account.get();
    await account.get();
    release();
    await first;
    expect(await refreshesOf(client.application)).toBe(1);
  });

  it("goes on being refreshed for others when one of the callers gives up", async () => {
    const client = await newClient();
    const { refreshToken } = (await openedWith(client)).connection;
    const account = client.almanac.account({ refreshToken });
    const reason = new Error("the user left");
    const controller = new AbortController();
    const [left, stayed] = [account.get({ signal: controller.signal }), account.get()];
    controller.abort(reason);
    await expect(left).rejects.toBe(reason);
    expect(await stayed).toMatchObject({ type: "application_calendar" });
    expect(await refreshesOf(client.application)).toBe(1);
  });

  it("can't be refreshed after the connection was revoked: invalid_grant, and no second try", async () => {
    const client = await newClient();
    const { connection, account } = await openedWith(client);
    await client.almanac.revoke(connection.refreshToken);
    const error = await account.get().catch((thrown) => thrown);
    expect(error).toBeInstanceOf(OAuthError);
    expect(error).toMatchObject({ status: 400, error: "invalid_grant", request: "POST /oauth/token" });
    expect(await refreshesOf(client.application)).toBe(1);
  });

  it("is loaded again when the store failed, and what the store throws is what the caller gets", async () => {
    const client = await newClient();
    const { connection } = await openedWith(client);
    const failure = new Error("the database is away");
    let isAway = true;
    const account = client.almanac.account({
      load: () => {
        if (isAway) throw failure;
        return connection;
      },
      save: () => {},
    });
    await expect(account.get()).rejects.toBe(failure);
    isAway = false;
    expect(await account.get()).toMatchObject({ account_id: connection.accountId });
  });
});
