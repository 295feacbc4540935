import { describe, expect, it } from "vitest";
import { newToken } from "@/server/db/new-id";
import { changeAccount, changeCalendar, changeProfile, changeSync } from "../fakes/stored";
import { ask, at, basic, dayFromToday, hourOf } from "./availability";
import { connectedWithTokens } from "./grants";
import { type Application, call, newApplication, type Opened, openCalendar } from "./service";

const morning = { start: at(3, "08:00"), end: at(3, "12:00") };

async function meeting(calendar: Opened, start: string, end: string, more: object = {}): Promise<void> {
  await calendar.write({ event_id: crypto.randomUUID(), summary: "Review", start, end, ...more });
}

async function team(count: number): Promise<{ application: Application; members: Opened[] }> {
  const application = await newApplication();
  const members: Opened[] = [];
  for (let i = 0; i < count; i++) members.push(await openCalendar(application));
  return { application, members };
}

async function play({ post }: Opened, type: string, change: object): Promise<void> {
  const answer = await post("/v1/sandbox/changes", { type, ...change });
  expect(answer.status, answer.text).toBe(202);
}

const times = (answer: { json: { available_periods?: object[]; available_slots?: object[] } }) =>
  (answer.json.available_periods ?? answer.json.available_slots ?? []).map((one) => {
    const { start, end } = one as { start: string; end: string };
    return `${start.slice(11, 16)}-${end.slice(11, 16)}`;
  });

describe("who may ask", () => {
  it("takes HTTP Basic, the secret alone as Bearer, and an account's own token", async () => {
    const { application, members } = await team(1);
    const [ada] = members as [Opened];
    await meeting(ada, at(3, "09:00"), at(3, "10:30"));
    const question = hourOf([ada], morning);
    for (const headers of [
      basic(application),
      { authorization: `Bearer ${application.clientSecret}` },
      { authorization: `Bearer ${ada.accessToken}` },
    ]) {
      const answer = await call("POST", "/v1/availability", { json: question, headers });
      expect(answer.status).toBe(200);
      expect(times(answer)).toEqual(["08:00-09:00", "10:30-12:00"]);
      expect(answer.json.available_periods[0].participants).toEqual([{ sub: ada.accountId }]);
      expect(answer.headers.get("ratelimit-limit")).not.toBeNull();
    }
  });

  it("refuses wrong credentials with the challenge of their scheme", async () => {
    const { application, members } = await team(1);
    const question = hourOf(members, morning);
    const wrong = await call("POST", "/v1/availability", {
      json: question,
      headers: basic({ ...application, clientSecret: "not-the-secret-of-this-application" }),
    });
    expect(wrong.status).toBe(401);
    expect(wrong.headers.get("www-authenticate")).toBe('Basic realm="svc"');
    const bearer = { authorization: "Bearer not-the-secret-of-any-application" };
    const unknown = await call("POST", "/v1/availability", { json: question, headers: bearer });
    expect(unknown.status).toBe(401);
    expect(unknown.headers.get("www-authenticate")).toContain('error="invalid_token"');
    expect((await call("POST", "/v1/availability", { json: question })).status).toBe(401);
  });

  it("takes no short secret alone, and none that two applications have", async () => {
    const short = await newApplication({ clientSecret: `short-${crypto.randomUUID().slice(0, 6)}` });
    const shared = crypto.randomUUID();
    const [one] = [await newApplication({ clientSecret: shared }), await newApplication({ clientSecret: shared })];
    for (const application of [short, one]) {
      const member = await openCalendar(application);
      const headers = { authorization: `Bearer ${application.clientSecret}` };
      const answer = await call("POST", "/v1/availability", { json: hourOf([member], morning), headers });
      expect(answer.status).toBe(401);
      expect((await ask(application, hourOf([member], morning))).status).toBe(200);
    }
  });

  it("takes no expired access token for a guess of a secret", async () => {
    const { application, members } = await team(1);
    for (let i = 0; i < 62; i++) {
      const headers = { authorization: `Bearer ${newToken("at")}` };
      expect((await call("POST", "/v1/availability", { json: {}, headers })).status).toBe(401);
    }
    const headers = { authorization: `Bearer ${application.clientSecret}` };
    const answer = await call("POST", "/v1/availability", { json: hourOf(members, morning), headers });
    expect(answer.status).toBe(200);
  });

  it("limits guesses of secrets from one address", async () => {
    const statuses: number[] = [];
    for (let i = 0; i < 62; i++) {
      const headers = { authorization: `Bearer guess-${i}-of-a-client-secret` };
      statuses.push((await call("POST", "/v1/availability", { json: {}, headers })).status);
    }
    expect(statuses.slice(0, 50).every((status) => status === 401)).toBe(true);
    expect(statuses.at(-1)).toBe(429);
  });

  it("knows no accounts but the caller's", async () => {
    const { application, members } = await team(2);
    const [ada, ben] = members as [Opened, Opened];
    const stranger = await openCalendar();
    const question = {
      ...hourOf([ada], morning),
      participants: [
        { members: [{ sub: ada.accountId }] },
        { members: [{ sub: stranger.accountId }, { sub: "acc_unknown" }, { sub: ada.accountId }] },
      ],
    };
    const answer = await ask(application, question);
    expect(answer.status).toBe(422);
    expect(Object.keys(answer.json.errors)).toEqual([
      "participants[1].members[0].sub",
      "participants[1].members[1].sub",
    ]);
    const [one, other] = Object.values(answer.json.errors);
    expect(one).toEqual(other);
    const own = await ada.post("/v1/availability", hourOf([ada, ben], morning));
    expect(own.status).toBe(422);
    expect(Object.keys(own.json.errors)).toEqual(["participants[0].members[1].sub"]);
    const [ids] = [{ sub: ada.accountId, calendar_ids: [ada.calendarId, ben.calendarId] }];
    const calendars = await ask(application, { ...question, participants: [{ members: [ids] }] });
    expect(Object.keys(calendars.json.errors)).toEqual(["participants[0].members[0].calendar_ids[1]"]);
  });
});

describe("what takes time", () => {
  it("finds what all have free, and enough of every group", async () => {
    const { application, members } = await team(3);
    const [ada, ben, eve] = members as [Opened, Opened, Opened];
    await meeting(ada, at(3, "08:00"), at(3, "09:00"));
    await meeting(ben, at(3, "09:30"), at(3, "10:30"));
    await meeting(eve, at(3, "10:00"), at(3, "12:00"));
    expect(times(await ask(application, hourOf(members, morning)))).toEqual([]);
    expect(times(await ask(application, hourOf([ada, ben], morning)))).toEqual(["10:30-12:00"]);
    const [group] = hourOf(members, morning).participants;
    const two = await ask(application, { ...hourOf([], morning), participants: [{ ...group, required: 2 }] });
    expect(times(two)).toEqual(["08:00-09:30", "09:00-10:00", "10:30-12:00"]);
    expect(two.json.available_periods[0].participants).toEqual([{ sub: ben.accountId }, { sub: eve.accountId }]);
  });

  it("leaves out transparent events, those of no length and, where asked, tentative and other people's", async () => {
    const { application, members } = await team(1);
    const [ada] = members as [Opened];
    await meeting(ada, at(3, "08:00"), at(3, "09:00"), { transparency: "transparent" });
    await meeting(ada, at(3, "10:00"), at(3, "10:00"));
    await play(ada, "event_created", {
      calendar_id: ada.calendarId,
      event: { summary: "Theirs", start: at(3, "11:00"), end: at(3, "12:00") },
    });
    expect(times(await ask(application, hourOf(members, morning)))).toEqual(["08:00-11:00"]);
    const managed = { sub: ada.accountId, only_managed: true };
    const own = await ask(application, { ...hourOf([], morning), participants: [{ members: [managed] }] });
    expect(times(own)).toEqual(["08:00-12:00"]);
  });

  it("counts invitations by their answer: none, tentative, declined", async () => {
    const { application, members } = await team(1);
    const [ada] = members as [Opened];
    await play(ada, "event_created", {
      calendar_id: ada.calendarId,
      event: { summary: "Invited", start: at(3, "10:00"), end: at(3, "12:00") },
      organizer: { email: "boss@acme.io" },
    });
    const free = async (rules: object) =>
      times(await ask(application, { ...hourOf(members, morning), ...rules })).join(" ");
    expect(await free({})).toBe("08:00-10:00");
    expect(await free({ unanswered: "free" })).toBe("08:00-12:00");
    expect(await free({ tentative: "free" })).toBe("08:00-10:00");
    const list = await ada.get("/v1/events", { tzid: "Etc/UTC" });
    const [event] = list.json.events as [{ event_uid: string; attendees: { email: string }[] }];
    const { json } = await ada.get("/v1/account");
    const reply = (status: string) =>
      play(ada, "guest_replied", {
        calendar_id: ada.calendarId,
        event_uid: event.event_uid,
        email: json.account.email,
        status,
      });
    await reply("tentative");
    expect(await free({})).toBe("08:00-10:00");
    expect(await free({ unanswered: "free" })).toBe("08:00-10:00");
    expect(await free({ tentative: "free" })).toBe("08:00-12:00");
    await reply("declined");
    expect(await free({})).toBe("08:00-12:00");
  });

  it("takes an all-day event for the day in its owner's zone, and a meeting in a series", async () => {
    const { application, members } = await team(1);
    const [ada] = members as [Opened];
    await changeAccount(ada.accountId, { defaultTzid: "Pacific/Kiritimati" });
    await meeting(ada, dayFromToday(4), dayFromToday(5));
    const whole = { start: at(3, "00:00"), end: at(5, "00:00") };
    // Kiritimati is 14 hours ahead: its day ends at 10:00 in UTC.
    expect(times(await ask(application, hourOf(members, whole)))).toEqual(["00:00-10:00", "10:00-00:00"]);
    await meeting(ada, at(3, "01:00"), at(3, "02:00"), {
      tzid: "Etc/UTC",
      recurrence: { rules: [{ frequency: "daily", interval: 1 }] },
    });
    const far = { start: at(190, "00:00"), end: at(190, "04:00") };
    expect(times(await ask(application, hourOf(members, far)))).toEqual(["00:00-01:00", "02:00-04:00"]);
  });

  it("keeps buffers free, which may reach past the periods, and offers working hours alone", async () => {
    const { application, members } = await team(1);
    const [ada] = members as [Opened];
    await meeting(ada, at(3, "07:00"), at(3, "07:50"));
    await meeting(ada, at(3, "10:00"), at(3, "10:30"));
    const buffered = {
      ...hourOf(members, morning),
      buffer: { before: { minutes: 20 }, after: { minutes: 30 } },
    };
    expect(times(await ask(application, buffered))).toEqual(["08:10-09:30", "10:50-12:00"]);
    const day = new Date(at(3, "00:00")).toLocaleDateString("en", { weekday: "long", timeZone: "UTC" }).toLowerCase();
    const hours = {
      ...hourOf(members, { start: at(1, "00:00"), end: at(9, "00:00") }),
      working_hours: [{ day, start: "11:00", end: "13:00" }],
      tzid: "Etc/UTC",
      response_format: "slots",
    };
    expect(times(await ask(application, hours))).toEqual(["11:00-12:00", "12:00-13:00"]);
  });

  it("counts an account once that is listed twice, and only the time that each entry allows", async () => {
    const { application, members } = await team(1);
    const [{ accountId: sub }] = members as [Opened];
    const period = (start: string, end: string) => ({ start: at(3, start), end: at(3, end) });
    const twice = [
      { sub, available_periods: [period("08:00", "10:00")] },
      { sub, available_periods: [period("09:00", "11:00")] },
    ];
    const all = { ...hourOf([], morning), participants: [{ members: twice }] };
    expect(times(await ask(application, all))).toEqual(["09:00-10:00"]);
    const two = await ask(application, { ...all, participants: [{ members: twice, required: 2 }] });
    expect(two.json.errors["participants[0].required"][0].key).toBe("errors.too_big");
  });

  it("sorts answers into slots that overlap or not, of at most so many", async () => {
    const { application, members } = await team(1);
    const question = { ...hourOf(members, morning), start_interval: { minutes: 30 } };
    const slots = await ask(application, { ...question, response_format: "slots" });
    expect(times(slots)).toEqual(["08:00-09:00", "09:00-10:00", "10:00-11:00", "11:00-12:00"]);
    const overlapping = await ask(application, { ...question, response_format: "overlapping_slots", max_results: 3 });
    expect(times(overlapping)).toEqual(["08:00-09:00", "08:30-09:30", "09:00-10:00"]);
  });
});

describe("members whose time is not known", () => {
  it("never offers one that is disconnected or was not read yet, and says why", async () => {
    const application = await newApplication();
    const google = await connectedWithTokens(application);
    const question = {
      ...hourOf([], morning),
      participants: [{ members: [{ sub: google.accountId }] }],
      explain: true,
    };
    await changeProfile(google.profileId, { initialSyncRequired: true });
    const unread = await ask(application, question);
    expect(unread.json.available_periods).toEqual([]);
    expect(unread.json.problems).toMatchObject([{ sub: google.accountId, reason: "initial_sync" }]);
    const since = new Date("2026-01-02T03:04:05Z");
    await changeProfile(google.profileId, { connected: false, disconnectedAt: since, initialSyncRequired: false });
    const lost = await ask(application, question);
    expect(lost.json).toMatchObject({
      available_periods: [],
      problems: [{ sub: google.accountId, reason: "disconnected", since: "2026-01-02T03:04:05Z" }],
      unavailable: [{ sub: google.accountId, ...morning, reason: "disconnected" }],
    });
    await changeProfile(google.profileId, { connected: true, disconnectedAt: null });
    await changeSync(google.profileId, { lastSyncAt: since });
    for (const id of Object.values(google.calendarIds)) await changeCalendar(id, { readAt: since });
    const known = await ask(application, question);
    expect(known.json.problems).toEqual([]);
    expect(known.json.as_of).toEqual({ [google.accountId]: "2026-01-02T03:04:05Z" });
    expect(times(known)).toEqual(["08:00-12:00"]);
  });

  it("shows in the sandbox what it says of a user who is disconnected, or being read", async () => {
    const { application, members } = await team(1);
    const [ada] = members as [Opened];
    const reasons = async () =>
      (await ask(application, hourOf(members, morning))).json.problems.map(({ reason }: { reason: string }) => reason);
    await play(ada, "profile_disconnected", {});
    expect(await reasons()).toEqual(["disconnected"]);
    await play(ada, "profile_reconnected", {});
    await play(ada, "initial_sync_started", {});
    expect(await reasons()).toEqual(["initial_sync"]);
    await play(ada, "initial_sync_completed", {});
    await play(ada, "calendar_deleted", { calendar_id: ada.calendarId });
    expect(await reasons()).toEqual(["calendar_deleted"]);
  });

  it("offers nothing past the time that is read", async () => {
    const { application, members } = await team(1);
    const [ada] = members as [Opened];
    const answer = await ask(application, hourOf(members, { start: at(200, "00:00"), end: at(300, "00:00") }));
    const [{ reason, since }] = answer.json.problems;
    expect(reason).toBe("beyond_horizon");
    expect(answer.json.available_periods.at(-1).end).toBe(since);
    expect(Math.abs(Date.parse(since) - Date.now() - 201 * 86_400_000)).toBeLessThan(60_000);
    const past = await ask(application, hourOf([ada], { start: at(-300, "00:00"), end: at(-100, "00:00") }));
    expect(past.json).toMatchObject({ available_periods: [], problems: [{ reason: "beyond_horizon" }] });
  });

  it("explains what takes each member's time, without a word of it", async () => {
    const { application, members } = await team(2);
    const [ada, ben] = members as [Opened, Opened];
    await meeting(ada, at(3, "09:00"), at(3, "10:00"));
    const group = [
      { sub: ada.accountId },
      { sub: ben.accountId, available_periods: [{ start: at(3, "08:00"), end: at(3, "11:00") }] },
    ];
    const answer = await ask(application, {
      ...hourOf([], morning),
      participants: [{ members: group }],
      explain: true,
    });
    expect(answer.json.unavailable).toEqual([
      { sub: ada.accountId, start: at(3, "09:00"), end: at(3, "10:00"), reason: "busy" },
      { sub: ben.accountId, start: at(3, "11:00"), end: at(3, "12:00"), reason: "outside_available_periods" },
    ]);
    expect(answer.text).not.toContain("Review");
  });
});

describe("422", () => {
  it("names every fault at its place", async () => {
    const application = await newApplication();
    const answer = await ask(application, {
      participants: [{ members: [{}], required: "most" }, { members: [] }],
      required_duration: { minutes: 1441 },
      query_periods: [
        { start: "2026-12-01", end: at(3, "10:00") },
        { start: at(3, "10:00"), end: at(3, "10:00") },
      ],
      working_hours: [{ day: "someday", start: "9:00", end: "25:00" }],
      buffer: { before: { minutes: -1 } },
      response_format: "grid",
      max_results: 513,
      query_slots: [{}],
    });
    expect(answer.status).toBe(422);
    const keys = Object.fromEntries(
      Object.entries(answer.json.errors as Record<string, { key: string }[]>).map(([field, [first]]) => [
        field,
        first?.key,
      ]),
    );
    expect(keys).toEqual({
      query_slots: "errors.not_supported",
      "participants[0].members[0].sub": "errors.required",
      "participants[0].required": "errors.invalid_value",
      "participants[1].members": "errors.too_small",
      "required_duration.minutes": "errors.too_big",
      "query_periods[0].start": "errors.invalid",
      "query_periods[1].end": "errors.invalid",
      "working_hours[0].day": "errors.invalid_value",
      "working_hours[0].start": "errors.invalid_format",
      "working_hours[0].end": "errors.invalid_format",
      "buffer.before.minutes": "errors.too_small",
      response_format: "errors.invalid_value",
      max_results: "errors.too_big",
      tzid: "errors.required",
    });
    const empty = await ask(application, {});
    expect(Object.keys(empty.json.errors)).toEqual(["participants", "required_duration", "query_periods"]);
  });

  it("limits groups and accounts", async () => {
    const { application, members } = await team(1);
    const [ada] = members as [Opened];
    const group = { members: [{ sub: ada.accountId }] };
    const many = await ask(application, { ...hourOf([], morning), participants: Array(11).fill(group) });
    expect(many.json.errors.participants[0].key).toBe("errors.too_big");
    const crowd = [0, 1].map((half) => ({
      members: Array.from({ length: 26 }, (_, i) => ({ sub: `acc_${half}_${i}` })),
    }));
    const crowded = await ask(application, { ...hourOf([], morning), participants: crowd });
    expect(crowded.json.errors.participants[0].description).toContain("at most 50 different accounts");
  });
});
