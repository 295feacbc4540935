import { describe, expect, it } from "vitest";
import { changeCalendar } from "../fakes/stored";
import { connectedWithTokens, withToken } from "./grants";
import { expectSignedOut } from "./responses";
import { call, newApplication, openCalendar } from "./service";

describe("200", () => {
  it("lists the one writable primary calendar of an application calendar", async () => {
    const { get, accountId, profileId } = await openCalendar(undefined, "room-7");
    const answer = await get("/v1/calendars");
    expect(answer.status).toBe(200);
    expect(answer.json).toEqual({
      sub: accountId,
      calendars: [
        {
          provider_name: "hosted",
          profile_id: profileId,
          profile_name: "room-7",
          calendar_id: expect.stringMatching(/^cal_/),
          calendar_name: expect.stringMatching(/\S/),
          calendar_readonly: false,
          calendar_deleted: false,
          calendar_primary: true,
          calendar_integrated_conferencing_available: false,
          calendar_attachments_available: false,
          permission_level: "unrestricted",
        },
      ],
    });
  });

  it("gives each calendar of a connected account with its profile", async () => {
    const { accountId, profileId, calendarIds, accessToken } = await connectedWithTokens(await newApplication());
    const { json } = await withToken("GET", "/v1/calendars", accessToken);
    const profile = { provider_name: "google", profile_id: profileId, profile_name: "ada@acme.io" };
    const every = { calendar_deleted: false, calendar_attachments_available: false, permission_level: "unrestricted" };
    expect(json).toEqual({
      sub: accountId,
      calendars: [
        {
          ...profile,
          ...every,
          calendar_id: calendarIds.writable,
          calendar_name: "Ada",
          calendar_readonly: false,
          calendar_primary: true,
          calendar_integrated_conferencing_available: true,
        },
        {
          ...profile,
          ...every,
          calendar_id: calendarIds.readonly,
          calendar_name: "Holidays",
          calendar_readonly: true,
          calendar_primary: false,
          calendar_integrated_conferencing_available: false,
        },
      ],
    });
  });

  it("keeps a calendar that was deleted at the provider, with calendar_deleted true", async () => {
    const { calendarIds, accessToken } = await connectedWithTokens(await newApplication());
    await changeCalendar(calendarIds.readonly, { deleted: true });
    const { calendars } = (await withToken("GET", "/v1/calendars", accessToken)).json;
    expect(
      calendars.map((each: { calendar_id: string; calendar_deleted: boolean }) => [
        each.calendar_id,
        each.calendar_deleted,
      ]),
    ).toEqual([
      [calendarIds.writable, false],
      [calendarIds.readonly, true],
    ]);
  });

  it("takes no parameters", async () => {
    const { get } = await openCalendar();
    expect(await get("/v1/calendars", { tzid: "No/Where", cursor: "" })).toMatchObject({ status: 200 });
  });
});

describe("401", () => {
  it("is the answer without a token and with an unknown one", async () => {
    expectSignedOut(await call("GET", "/v1/calendars"), "invalid_request");
    expectSignedOut(await withToken("GET", "/v1/calendars", "at_unknown"), "invalid_token");
  });
});
