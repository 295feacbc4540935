import { describe, expect, it } from "vitest";
import { db } from "@/server/db/client";
import { MAX_SUBSCRIPTIONS } from "@/server/domain/subscriptions";
import { processServices } from "@/server/http/process-services";
import { connectedWithTokens, withToken } from "./grants";
import { newApplication, type Opened, openCalendar } from "./service";
import { newOperator } from "./staff/staff-caller";

const feed = { url: "https://calendars.acme.io/team.ics", name: "Team" };
const create = (opened: Opened, body: unknown) => opened.post("/v1/subscriptions", body);
const listed = async ({ get }: Opened) => (await get("/v1/subscriptions")).json.subscriptions;

describe("POST /v1/subscriptions", () => {
  it("201: adds a read-only calendar in a profile of its own, to be read every hour", async () => {
    const opened = await openCalendar();
    const { status, json, headers } = await create(opened, feed);
    expect([status, json, headers.get("location")]).toEqual([
      201,
      { calendar_id: expect.stringMatching(/^cal_/) },
      `/v1/subscriptions/${json.calendar_id}`,
    ]);
    const { profiles } = (await opened.get("/v1/profiles")).json;
    expect(profiles[1]).toMatchObject({
      ...{ provider_name: "feed", provider_service: "feed", profile_name: "Team", profile_connected: true },
      ...{ profile_initial_sync_required: true, profile_relink_url: null },
      profile_calendars: [{ ...json, calendar_name: "Team", calendar_readonly: true, calendar_primary: false }],
    });
    expect(await listed(opened)).toEqual([
      { ...json, profile_id: profiles[1].profile_id, name: "Team", host: "calendars.acme.io", refresh_minutes: 60 },
    ]);
    const status1 = await opened.get(`/v1/profiles/${profiles[1].profile_id}/status`);
    expect(status1.json).toMatchObject({ state: "connected", reason: "initial_sync" });
  });

  it("201: the address is nowhere in the database, the request log or the dashboard, but for its host", async () => {
    const opened = await openCalendar();
    const secret = "5d41402abc4b2a76b9719d911017c592";
    expect((await create(opened, { ...feed, url: `https://calendars.acme.io/${secret}.ics?k=${secret}` })).status).toBe(
      201,
    );
    expect((await create(opened, { ...feed, url: `http://calendars.acme.io/${secret}` })).status).toBe(422);
    expect(await processServices().requestLog.flush(10_000)).toBe(true);
    const rows = await db().query<{ row: string }>(
      "SELECT l::text AS row FROM request_logs l WHERE account_id = $1 UNION ALL SELECT p::text FROM profiles p WHERE account_id = $1",
      [opened.accountId],
    );
    expect(rows.length).toBeGreaterThanOrEqual(4);
    expect(JSON.stringify(rows)).not.toContain(secret);
    const staff = await newOperator();
    const shown = await staff.api.accounts.get({ id: opened.accountId });
    expect(shown.profiles.map(({ provider, name, host }) => [provider, name, host])).toEqual([
      ["hosted", expect.any(String), null],
      ["feed", "Team", "calendars.acme.io"],
    ]);
    expect(JSON.stringify(shown)).not.toContain(secret);
  });

  it("201: of a user's account, whose connected profile stays as it is", async () => {
    const { accessToken } = await connectedWithTokens(await newApplication());
    const ask = (method: string, path: string, body?: unknown) => withToken(method, path, accessToken, body);
    const before = (await ask("GET", "/v1/profiles")).json.profiles;
    const { status, json } = await ask("POST", "/v1/subscriptions", feed);
    expect(status).toBe(201);
    expect((await ask("GET", "/v1/profiles")).json.profiles).toMatchObject([...before, { profile_name: "Team" }]);
    expect((await ask("DELETE", `/v1/subscriptions/${json.calendar_id}`)).status).toBe(202);
    expect((await ask("GET", "/v1/profiles")).json.profiles).toEqual(before);
  });

  it("201: one request of many at once adds the calendar, and the others find it", async () => {
    const opened = await openCalendar();
    const all = await Promise.all(Array.from({ length: 8 }, () => create(opened, feed)));
    expect(new Set(all.map(({ status, json }) => `${status} ${json.calendar_id}`)).size).toBe(1);
    expect(await listed(opened)).toHaveLength(1);
  });

  it("201: the same address in two accounts of an application is two calendars", async () => {
    const application = await newApplication();
    const [one, other] = [await openCalendar(application), await openCalendar(application)];
    const [first, second] = [await create(one, feed), await create(other, feed)];
    expect([first.status, second.status]).toEqual([201, 201]);
    expect(first.json.calendar_id).not.toBe(second.json.calendar_id);
    expect((await other.remove(`/v1/subscriptions/${first.json.calendar_id}`, undefined)).status).toBe(404);
    const subjects = await db().prisma.profile.findMany({
      where: { provider: "feed", accountId: { in: [one.accountId, other.accountId] } },
      select: { subject: true },
    });
    expect(new Set(subjects.map(({ subject }) => subject)).size).toBe(2);
  });

  it.each([
    ["nothing", {}, { url: "errors.required", name: "errors.required" }],
    ["a blank name", { ...feed, name: "  " }, { name: "errors.required" }],
    ["a name of two lines", { ...feed, name: "a\nb" }, { name: "errors.invalid" }],
    ["a long name", { ...feed, name: "x".repeat(256) }, { name: "errors.too_big" }],
    ["read too often", { ...feed, refresh_minutes: 14 }, { refresh_minutes: "errors.too_small" }],
    ["read too rarely", { ...feed, refresh_minutes: 1_441 }, { refresh_minutes: "errors.too_big" }],
    ["a number as text", { ...feed, refresh_minutes: "60" }, { refresh_minutes: "errors.invalid_type" }],
    ["an empty address", { ...feed, url: "" }, { url: "errors.too_small" }],
    ["a long address", { ...feed, url: `https://acme.io/${"x".repeat(2_048)}` }, { url: "errors.too_big" }],
  ])("422: %s", async (_, body, errors) => {
    const { status, json } = await create(await openCalendar(), body);
    const keys = Object.entries(json.errors as Record<string, { key: string }[]>).map(([name, [one]]) => [
      name,
      one?.key,
    ]);
    expect([status, Object.fromEntries(keys)]).toEqual([422, errors]);
  });

  it.each([
    "http://calendars.acme.io/x",
    "webcal://10.0.0.7/x.ics",
    "https://127.0.0.1/x",
    "https://[::1]/x",
    "https://localhost/x",
    "https://calendars.internal/x",
    "https://a:b@calendars.acme.io/x",
    "https://calendars.acme.io:8443/x",
    "webcal:calendars.acme.io/x",
    "ftp://calendars.acme.io/x",
    "file:///etc/passwd",
    "data:text/calendar,BEGIN:VCALENDAR",
    "calendars.acme.io/x",
    " https://calendars.acme.io/x",
    "https://calendars.acme.io/\u0000",
  ])("422: an address where a stranger may not send us, and no word of it: %s", async (url) => {
    const opened = await openCalendar();
    const { status, json, text } = await create(opened, { ...feed, url });
    expect([status, Object.keys(json.errors)]).toEqual([422, ["url"]]);
    expect(json.errors.url[0].key).toBe("errors.invalid");
    expect(text).not.toContain("acme");
    expect(await listed(opened)).toEqual([]);
  });

  it("422: more than 50, but updating one of them still works", async () => {
    const opened = await openCalendar();
    const at = (n: number) => ({ ...feed, url: `https://calendars.acme.io/${n}.ics` });
    for (let n = 0; n < MAX_SUBSCRIPTIONS; n += 1) expect((await create(opened, at(n))).status).toBe(201);
    const { status, json } = await create(opened, at(MAX_SUBSCRIPTIONS));
    expect([status, json.errors.base[0].key]).toEqual([422, "errors.too_big"]);
    expect((await create(opened, { ...at(7), name: "Seven" })).status).toBe(201);
    const all = await listed(opened);
    expect([all.length, all[7].name]).toEqual([MAX_SUBSCRIPTIONS, "Seven"]);
    await opened.remove(`/v1/subscriptions/${all[0].calendar_id}`, undefined);
    expect((await create(opened, at(MAX_SUBSCRIPTIONS))).status).toBe(201);
  });
});

describe("an application calendar with a subscription", () => {
  it("is opened again as itself, and the sandbox changes it and not the feed", async () => {
    const opened = await openCalendar(undefined, "room");
    const { calendar_id } = (await create(opened, feed)).json;
    const again = await openCalendar(opened.application, "room");
    expect([again.profileId, again.calendarId]).toEqual([opened.profileId, opened.calendarId]);
    const change = (body: object) => opened.post("/v1/sandbox/changes", body);
    const event = { summary: "x", start: "2030-01-01", end: "2030-01-02" };
    for (const body of [
      { type: "event_created", calendar_id, event },
      { type: "calendar_deleted", calendar_id },
      { type: "calendar_changed", calendar_id, calendar: { calendar_readonly: false } },
    ]) {
      expect((await change(body)).status, body.type).toBe(404);
    }
    expect((await change({ type: "profile_disconnected" })).status).toBe(202);
    const { profiles } = (await opened.get("/v1/profiles")).json;
    expect(profiles.map((one: { profile_connected: boolean }) => one.profile_connected)).toEqual([false, true]);
    expect((await change({ type: "profile_reconnected" })).status).toBe(202);
    expect((await change({ type: "initial_sync_completed" })).status).toBe(202);
    const after = (await opened.get("/v1/profiles")).json.profiles;
    const waiting = after.map((one: { profile_initial_sync_required: boolean }) => one.profile_initial_sync_required);
    expect(waiting).toEqual([false, true]);
  });
});

describe("DELETE /v1/subscriptions/{calendar_id}", () => {
  it("404: an unknown calendar, a hosted one, and a connected one", async () => {
    const opened = await openCalendar();
    for (const id of ["cal_0", opened.calendarId, "%00"]) {
      expect((await opened.remove(`/v1/subscriptions/${id}`, undefined)).status).toBe(404);
    }
    expect((await opened.get("/v1/calendars")).json.calendars).toHaveLength(1);
    const account = await connectedWithTokens(await newApplication());
    const path = `/v1/subscriptions/${account.calendarIds.readonly}`;
    expect((await withToken("DELETE", path, account.accessToken)).status).toBe(404);
  });
});
