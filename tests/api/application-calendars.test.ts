import { describe, expect, it } from "vitest";
import { storedEvents } from "../fakes/stored-events";
import { credentialsOf, revoke, withToken } from "./grants";
import { comparable, expectEmpty, expectIssues, expectSignedOut } from "./responses";
import { type Application, call, newApplication, openCalendar } from "./service";
import { storedRows } from "./stored-rows";

const PATH = "/v1/application_calendars";

function open(application: Application, application_calendar_id: unknown, more: object = {}) {
  return call("POST", PATH, { json: { ...credentialsOf(application), application_calendar_id, ...more } });
}

async function calendarIdOf(accessToken: string): Promise<string> {
  return (await withToken("GET", "/v1/calendars", accessToken)).json.calendars[0].calendar_id;
}

describe("200", () => {
  it("gives the token response with the caller's name for the calendar", async () => {
    const answer = await open(await newApplication(), "room-7");
    expect(answer.status).toBe(200);
    const { sub } = answer.json;
    expect(answer.json).toEqual({
      token_type: "bearer",
      access_token: expect.stringMatching(/^at_[\w-]{43,}$/),
      expires_in: 10_800,
      refresh_token: expect.stringMatching(/^rt_[\w-]{43,}$/),
      scope: "read_write",
      sub: expect.stringMatching(/^apc_[0-9a-f]{24}$/),
      account_id: sub,
      application_calendar_id: "room-7",
      linking_profile: {
        provider_name: "hosted",
        profile_id: expect.stringMatching(/^pro_/),
        profile_name: "room-7",
      },
    });
  });

  it("takes a form as well as JSON: both open the same calendar", async () => {
    const application = await newApplication();
    const byJson = await open(application, "Zimmer 7 & Küche");
    const byForm = await call("POST", PATH, {
      form: { ...credentialsOf(application), application_calendar_id: "Zimmer 7 & Küche" },
    });
    expect(byForm).toMatchObject({ status: 200, json: { sub: byJson.json.sub } });
    expect(byForm.json.application_calendar_id).toBe("Zimmer 7 & Küche");
  });

  it("opens the same calendar for the same id, with a new token pair each time", async () => {
    const application = await newApplication();
    const answers = [await open(application, "room"), await open(application, "room"), await open(application, "room")];
    expect(new Set(answers.map(({ json }) => json.sub)).size).toBe(1);
    expect(new Set(answers.map(({ json }) => json.linking_profile.profile_id)).size).toBe(1);
    expect(new Set(answers.map(({ json }) => json.access_token)).size).toBe(3);
    expect(new Set(answers.map(({ json }) => json.refresh_token)).size).toBe(3);
    const calendars = await Promise.all(answers.map(({ json }) => calendarIdOf(json.access_token)));
    expect(new Set(calendars).size).toBe(1);
  });

  it("keeps the events of the calendar that it opens again", async () => {
    const application = await newApplication();
    const first = await openCalendar(application, "room");
    await first.write({ event_id: "1", summary: "Kept", start: "2026-11-21", end: "2026-11-22" });
    const second = await openCalendar(application, "room");
    expect(await storedEvents(second.calendarId)).toMatchObject([{ summary: "Kept" }]);
  });

  it("tells ids apart by every character", async () => {
    const application = await newApplication();
    const ids = ["room", "Room", "room ", " room", "ro\u0301om", "r\u00f3om", "0", "00"];
    const answers = await Promise.all(ids.map((id) => open(application, id)));
    expect(answers.map(({ status }) => status)).toEqual(ids.map(() => 200));
    expect(new Set(answers.map(({ json }) => json.sub)).size).toBe(ids.length);
  });

  it("opens a calendar of its own for each application", async () => {
    const one = await open(await newApplication(), "room");
    const other = await open(await newApplication(), "room");
    expect(other.json.sub).not.toBe(one.json.sub);
    expect(await calendarIdOf(other.json.access_token)).not.toBe(await calendarIdOf(one.json.access_token));
  });

  it("makes one calendar of 20 parallel first opens", async () => {
    const application = await newApplication();
    const answers = await Promise.all(Array.from({ length: 20 }, () => open(application, "room")));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    expect(new Set(answers.map(({ json }) => json.sub)).size).toBe(1);
    expect(new Set(answers.map(({ json }) => json.access_token)).size).toBe(20);
    expect((await storedRows(application)).calendars).toHaveLength(1);
    for (const { json } of answers) {
      expect(await withToken("GET", "/v1/account", json.access_token)).toMatchObject({ status: 200 });
    }
  });

  it("survives opening and revoking at the same moment: every token that was given works or has been revoked", async () => {
    const application = await newApplication();
    const { accessToken } = await openCalendar(application, "room");
    const opening = Array.from({ length: 8 }, () => open(application, "room"));
    const [revoked, ...opened] = await Promise.all([revoke(application, accessToken), ...opening]);
    expectEmpty(revoked, 200);
    for (const { status, json } of opened) {
      expect(status).toBe(200);
      const account = await withToken("GET", "/v1/account", json.access_token);
      expect([200, 401]).toContain(account.status);
      if (account.status === 200) expect(await calendarIdOf(json.access_token)).toMatch(/^cal_/);
    }
  });

  it("takes an application_calendar_id of 255 characters, which are code points", async () => {
    const id = "𝄞".repeat(255);
    const answer = await open(await newApplication(), id);
    expect(answer).toMatchObject({ status: 200, json: { application_calendar_id: id } });
  });

  it("accepts extra body properties", async () => {
    expect(await open(await newApplication(), "room", { scope: 5, nested: [{}] })).toMatchObject({ status: 200 });
  });

  it("has Cache-Control: no-store and no RateLimit headers", async () => {
    const { headers } = await open(await newApplication(), "room");
    expect(headers.get("cache-control")).toBe("no-store");
    expect([...headers.keys()].filter((name) => name.startsWith("ratelimit"))).toEqual([]);
  });

  it("does not look at an Authorization that is not HTTP Basic", async () => {
    const application = await newApplication();
    for (const authorization of ["Bearer undefined", "Bearer None"]) {
      const json = { ...credentialsOf(application), application_calendar_id: "room" };
      expect(await call("POST", PATH, { json, headers: { authorization } })).toMatchObject({ status: 200 });
    }
  });
});

describe("401", () => {
  it("is the empty answer to wrong credentials; an unknown id and a wrong secret are not told apart", async () => {
    const application = await newApplication();
    const wrongSecret = await open({ ...application, clientSecret: "wrong" }, "room");
    const unknownId = await open({ ...application, clientId: "unknown" }, "room");
    expectSignedOut(wrongSecret, "invalid_token");
    expect(comparable(unknownId)).toEqual(comparable(wrongSecret));
  });

  it("makes nothing", async () => {
    const application = await newApplication();
    await open({ ...application, clientSecret: "wrong" }, "room");
    expect((await storedRows(application)).accounts).toEqual([]);
  });
});

describe("422", () => {
  it.each(["client_id", "client_secret", "application_calendar_id"])(
    "names %s when it is missing, before the credentials are looked at",
    async (field) => {
      const complete: Record<string, string> = { client_id: "a", client_secret: "b", application_calendar_id: "c" };
      const { [field]: _, ...rest } = complete;
      expectIssues(await call("POST", PATH, { json: rest }), { [field]: "errors.required" });
      expectIssues(await call("POST", PATH, { form: rest }), { [field]: "errors.required" });
    },
  );

  it("reports several mistakes together", async () => {
    expectIssues(await call("POST", PATH, { json: { client_secret: 5, application_calendar_id: "" } }), {
      client_id: "errors.required",
      client_secret: "errors.invalid_type",
      application_calendar_id: "errors.too_small",
    });
  });

  it.each([
    ["a number", 7, "errors.invalid_type"],
    ["null", null, "errors.invalid_type"],
    ["an array", ["room"], "errors.invalid_type"],
    ["empty", "", "errors.too_small"],
    ["over 255 characters", "𝄞".repeat(256), "errors.too_big"],
  ])("is the answer to an application_calendar_id that is %s", async (_, id, key) => {
    expectIssues(await open(await newApplication(), id), { application_calendar_id: key });
  });

  it.each(["client_id", "client_secret"])("is the answer to %s over 500 characters", async (field) => {
    const application = await newApplication();
    expectSignedOut(await open(application, "room", { [field]: "x".repeat(500) }), "invalid_token");
    expectIssues(await open(application, "room", { [field]: "x".repeat(501) }), { [field]: "errors.too_big" });
  });

  it("comes before 401", async () => {
    expectIssues(await open({ clientId: "unknown", clientSecret: "wrong" }, 7), {
      application_calendar_id: "errors.invalid_type",
    });
  });
});
