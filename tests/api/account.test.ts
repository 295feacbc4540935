import { describe, expect, it } from "vitest";
import { connectedWithTokens, revoke, withToken } from "./grants";
import { expectSignedOut } from "./responses";
import { call, newApplication, openCalendar } from "./service";

describe("200", () => {
  it("describes an application calendar: named after its application_calendar_id, with an address at the API host", async () => {
    const { get, accountId } = await openCalendar(undefined, "Room 7 – Zürich");
    const answer = await get("/v1/account");
    expect(answer.status).toBe(200);
    expect(answer.headers.get("content-type")).toMatch(/^application\/json/);
    expect(answer.json).toEqual({
      account: {
        account_id: accountId,
        type: "application_calendar",
        email: `${accountId}@api.almanac.localhost`,
        name: "Room 7 – Zürich",
        scope: "read_write",
        default_tzid: "Etc/UTC",
      },
    });
  });

  it("describes the account of a connected person", async () => {
    const { accountId, accessToken } = await connectedWithTokens(await newApplication());
    expect((await withToken("GET", "/v1/account", accessToken)).json).toEqual({
      account: {
        account_id: accountId,
        type: "account",
        email: "ada@acme.io",
        name: "Ada Fonda",
        scope: "read_write",
        default_tzid: "Europe/Paris",
      },
    });
  });

  it("takes no parameters", async () => {
    const { get } = await openCalendar();
    expect(await get("/v1/account", { tzid: "No/Where", "calendar_ids[]": "" })).toMatchObject({ status: 200 });
  });
});

describe("401", () => {
  it("is the answer without a token, with an unknown one and with a revoked one", async () => {
    const { application, accessToken } = await openCalendar();
    expectSignedOut(await call("GET", "/v1/account"), "invalid_request");
    expectSignedOut(await withToken("GET", "/v1/account", "at_unknown"), "invalid_token");
    await revoke(application, accessToken);
    expectSignedOut(await withToken("GET", "/v1/account", accessToken), "invalid_token");
  });
});
