import { describe, expect, it } from "vitest";
import { changeProfile, dropCalendars } from "../fakes/stored";
import { connectAccount, connectedWithTokens, withToken } from "./grants";
import { expectSignedOut } from "./responses";
import { call, newApplication, openCalendar } from "./service";

describe("200", () => {
  it("shows the one profile of an application calendar with its calendar", async () => {
    const { get, profileId, calendarId } = await openCalendar(undefined, "room-7");
    const answer = await get("/v1/profiles");
    expect(answer.status).toBe(200);
    expect(answer.json).toEqual({
      profiles: [
        {
          provider_name: "hosted",
          provider_service: "hosted",
          profile_id: profileId,
          profile_name: "room-7",
          profile_connected: true,
          profile_relink_url: null,
          profile_initial_sync_required: false,
          profile_calendars: [
            {
              calendar_id: calendarId,
              calendar_name: expect.stringMatching(/\S/),
              calendar_readonly: false,
              calendar_deleted: false,
              calendar_primary: true,
              calendar_integrated_conferencing_available: false,
              calendar_attachments_available: false,
              permission_level: "unrestricted",
            },
          ],
        },
      ],
    });
  });

  it("shows a connected person's profile, whose first sync has not finished", async () => {
    const { accessToken, profileId, calendarIds } = await connectedWithTokens(await newApplication());
    const [profile] = (await withToken("GET", "/v1/profiles", accessToken)).json.profiles;
    expect(profile).toMatchObject({
      provider_name: "google",
      provider_service: "gsuite",
      profile_id: profileId,
      profile_name: "ada@acme.io",
      profile_connected: true,
      profile_initial_sync_required: true,
    });
    expect(profile.profile_calendars.map((each: { calendar_id: string }) => each.calendar_id)).toEqual([
      calendarIds.writable,
      calendarIds.readonly,
    ]);
  });

  it("has profile_connected false where the person must connect again, and profile_relink_url null all the same", async () => {
    const { accessToken, profileId } = await connectedWithTokens(await newApplication());
    await changeProfile(profileId, { connected: false, initialSyncRequired: false });
    expect((await withToken("GET", "/v1/profiles", accessToken)).json.profiles).toMatchObject([
      { profile_connected: false, profile_relink_url: null, profile_initial_sync_required: false },
    ]);
  });

  it("lists a profile that has no calendar", async () => {
    const { accessToken, profileId } = await connectedWithTokens(await newApplication());
    await dropCalendars(profileId);
    expect((await withToken("GET", "/v1/profiles", accessToken)).json.profiles).toMatchObject([
      { profile_id: profileId, profile_calendars: [] },
    ]);
  });

  it("says each provider and service by its wire name", async () => {
    const application = await newApplication();
    const { accessToken, accountId } = await connectedWithTokens(application);
    const others = [
      ["google", "google"],
      ["microsoft", "microsoft_365"],
      ["outlook", "outlook"],
      ["icloud", "icloud"],
    ] as const;
    for (const [provider, service] of others) {
      const { profileId } = await connectAccount(application);
      await changeProfile(profileId, { accountId, provider, service });
    }
    const { profiles } = (await withToken("GET", "/v1/profiles", accessToken)).json;
    expect(
      profiles.map((each: { provider_name: string; provider_service: string }) => [
        each.provider_name,
        each.provider_service,
      ]),
    ).toEqual([
      ["google", "gsuite"],
      ["google", "google"],
      ["office365", "office365"],
      ["live_connect", "outlook_com"],
      ["apple", "icloud"],
    ]);
  });
});

describe("401", () => {
  it("is the answer without a token and with an unknown one", async () => {
    expectSignedOut(await call("GET", "/v1/profiles"), "invalid_request");
    expectSignedOut(await withToken("GET", "/v1/profiles", "at_unknown"), "invalid_token");
  });
});
