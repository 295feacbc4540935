import { describe, expect, it } from "vitest";
import { connectedWithTokens, withToken } from "./grants";
import { expectSignedOut } from "./responses";
import { call, newApplication, openCalendar } from "./service";

describe("200", () => {
  it("has the application_calendar_id of an application calendar in place of email", async () => {
    const { get, accountId } = await openCalendar(undefined, "room-7");
    const { profiles } = (await get("/v1/profiles")).json;
    const answer = await get("/v1/userinfo");
    expect(answer.status).toBe(200);
    expect(answer.json).toEqual({
      sub: accountId,
      application_calendar_id: "room-7",
      name: "room-7",
      zoneinfo: "Etc/UTC",
      "svc.type": "application_calendar",
      "svc.data": {
        authorization: { scope: "read_write", status: "active" },
        application_calendar: { application_calendar_id: "room-7" },
        profiles,
      },
    });
  });

  it("describes a connected person with every profile and its calendars", async () => {
    const { accountId, accessToken } = await connectedWithTokens(await newApplication());
    const { profiles } = (await withToken("GET", "/v1/profiles", accessToken)).json;
    expect(profiles[0].profile_calendars).toHaveLength(2);
    expect((await withToken("GET", "/v1/userinfo", accessToken)).json).toEqual({
      sub: accountId,
      email: "ada@acme.io",
      name: "Ada Fonda",
      zoneinfo: "Europe/Paris",
      "svc.type": "account",
      "svc.data": { authorization: { scope: "read_write", status: "active" }, profiles },
    });
  });
});

describe("401", () => {
  it("is the answer without a token and with an unknown one", async () => {
    expectSignedOut(await call("GET", "/v1/userinfo"), "invalid_request");
    expectSignedOut(await withToken("GET", "/v1/userinfo", "at_unknown"), "invalid_token");
  });
});
