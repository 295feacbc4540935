import { describe, expect, it } from "vitest";
import { setForeignEdits } from "../fakes/stored";
import { signalsOf } from "../fakes/stored-signals";
import { dayFromNow } from "./dates";
import { byOthers, ofUid, tagOf } from "./named-events";
import { expectEmpty, expectIssues } from "./responses";
import { call, newApplication, type Opened, openCalendar } from "./service";
import { eventsOf, type ReadEvent, repeating, write } from "./written-series";

const [D1, D2, D3] = [dayFromNow(10), dayFromNow(11), dayFromNow(12)];
const event = { summary: "Board meeting", start: `${D1}T09:30:00Z`, end: `${D1}T10:00:00Z` };
const series = { ...event, tzid: "Etc/UTC", ...repeating() };
const ada = { email: "ada@acme.io", display_name: "Ada" };
const grace = { invite: [{ email: "grace@acme.io" }] };

/** An application calendar in which somebody has created an event, of an application that may change it, or not. */
async function withForeign(change: object = {}, isAllowed = true) {
  const application = await newApplication();
  if (isAllowed) await setForeignEdits(application.clientId);
  const opened = await openCalendar(application);
  await byOthers(opened, { type: "event_created", event, ...change });
  const [first] = await eventsOf(opened);
  if (!first) throw new Error("nothing was created");
  return { opened, first, uid: first.event_uid };
}

const rightsOf = async (uid: string, opened: Opened) => (await ofUid("GET", uid, opened)).json.rights;
const all = { update: true, delete: true, reply: false };
const none = { update: false, delete: false, reply: false };

describe("an event of others in a hosted calendar, where the administrator allows changes", () => {
  it("is changed, keeps that others created it, and notifies nobody", async () => {
    const { opened, uid } = await withForeign({ event: { ...event, attendees: grace } });
    expect(await rightsOf(uid, opened)).toEqual(all);
    const before = await signalsOf(opened.accountId);
    const { status, json } = await ofUid("PATCH", uid, opened, { body: { summary: "Changed" } });
    expect(status).toBe(200);
    expect(json).toMatchObject({ summary: "Changed", options: { update: false, delete: false } });
    expect(json).not.toHaveProperty("event_id");
    expect(await signalsOf(opened.accountId)).toEqual(before);
    const { json: unmanaged } = await opened.get("/v1/events", { tzid: "Etc/UTC" });
    expect(unmanaged.events).toMatchObject([
      { event_uid: uid, summary: "Changed", attendees: [{ email: "grace@acme.io" }] },
    ]);
  });

  it("is changed one occurrence at a time, and deleted", async () => {
    const { opened, uid } = await withForeign({ event: series });
    await ofUid("PATCH", uid, opened, { body: { start: `${D1}T14:00:00Z`, end: `${D1}T15:00:00Z` } });
    expectEmpty(await ofUid("DELETE", uid, opened, { query: { occurrence_date: D3 } }), 202);
    const events = await eventsOf(opened);
    expect(events.map(({ start }) => start.slice(0, 16))).toEqual([
      `${D1}T14:00`,
      `${D2}T09:30`,
      `${dayFromNow(13)}T09:30`,
      `${dayFromNow(14)}T09:30`,
    ]);
    const managed = await opened.get("/v1/events", { tzid: "Etc/UTC", only_managed: "true" });
    expect(managed.json.events).toEqual([]);
    expectEmpty(await ofUid("DELETE", uid, opened, { query: { scope: "all" } }), 202);
    expect(await eventsOf(opened)).toEqual([]);
  });

  it("is 412 after others changed it", async () => {
    const { opened, uid } = await withForeign();
    const headers = { "if-match": tagOf(await ofUid("GET", uid, opened)) };
    await byOthers(opened, { type: "event_changed", event_uid: uid, event: { ...event, summary: "Theirs" } });
    const refused = await ofUid("PATCH", uid, opened, { body: { summary: "Ours" }, headers });
    expect(refused).toMatchObject({ status: 412, json: { summary: "Theirs" } });
  });

  it("is refused again once the administrator no longer allows it, and always where the calendar is read-only", async () => {
    const { opened, uid } = await withForeign();
    await byOthers(opened, { type: "calendar_changed", calendar: { calendar_readonly: true } });
    expect(await rightsOf(uid, opened)).toEqual(none);
    await byOthers(opened, { type: "calendar_changed", calendar: { calendar_readonly: false } });
    await setForeignEdits(opened.application.clientId, false);
    expect(await rightsOf(uid, opened)).toEqual(none);
    for (const method of ["PATCH", "DELETE"] as const) {
      const { status, json } = await ofUid(method, uid, opened, {
        ...(method === "PATCH" && { body: { summary: "x" } }),
      });
      expect([status, json.error]).toEqual([403, "forbidden"]);
    }
    expect(await eventsOf(opened)).toMatchObject([{ summary: event.summary }]);
  });
});

describe("POST participation_status", () => {
  const reply = (uid: string, opened: Opened, body: object, query: Record<string, string> = {}) => {
    const path = `/v1/calendars/${opened.calendarId}/events/${uid}/participation_status`;
    return opened.post(`${path}?${new URLSearchParams(query)}`, body);
  };
  const invitation = { organizer: ada };
  const freeBusy = async ({ get }: Opened) => (await get("/v1/free_busy", { tzid: "Etc/UTC" })).json.free_busy;
  const statuses = (events: ReadEvent[]) =>
    events.map((one) => (one as ReadEvent & { participation_status: string }).participation_status);

  it("replies for the user, who may change their mind, and whose declined event leaves free/busy at once", async () => {
    const { opened, uid } = await withForeign(invitation);
    expect(await rightsOf(uid, opened)).toEqual({ ...all, reply: true });
    const before = tagOf(await ofUid("GET", uid, opened));
    for (const [status, busy] of [
      ["tentative", ["tentative"]],
      ["accepted", ["busy"]],
      ["declined", []],
      ["accepted", ["busy"]],
    ] as const) {
      expectEmpty(await reply(uid, opened, { status, comment: "I'll see" }), 202);
      expect(statuses(await eventsOf(opened))).toEqual([status]);
      const periods: { free_busy_status: string }[] = await freeBusy(opened);
      expect(periods.map((one) => one.free_busy_status)).toEqual(busy);
    }
    expect(tagOf(await ofUid("GET", uid, opened))).not.toBe(before);
    expect(await rightsOf(uid, opened)).toMatchObject({ reply: true });
  });

  it("replies to one occurrence of a series, by its uid or its day, or to all", async () => {
    const { opened, uid } = await withForeign({ event: { ...series, attendees: grace }, organizer: ada });
    expectEmpty(await reply(uid, opened, { status: "declined" }), 202);
    expectEmpty(await reply(uid, opened, { status: "tentative" }, { occurrence_date: D3 }), 202);
    const open = "needs_action";
    expect(statuses(await eventsOf(opened))).toEqual(["declined", open, "tentative", open, open]);
    expect(await freeBusy(opened)).toHaveLength(4);
    const [, second] = await eventsOf(opened);
    expectEmpty(await reply(second?.series_identifier ?? "", opened, { status: "accepted" }), 202);
    expect(statuses(await eventsOf(opened))).toEqual(["declined", "accepted", "tentative", "accepted", "accepted"]);
    expectEmpty(await reply(second?.event_uid ?? "", opened, { status: "declined" }, { scope: "all" }), 202);
    expect(await freeBusy(opened)).toHaveLength(1);
  });

  it("sets the reply of the user among the guests", async () => {
    const application = await newApplication();
    await setForeignEdits(application.clientId);
    const opened = await openCalendar(application);
    const { json } = await opened.get("/v1/account");
    const both = { invite: [{ email: json.account.email }, ...grace.invite] };
    // Where Almanac runs at localhost, the account's address is none of a guest.
    const guests = json.account.email.includes(".") ? both : grace;
    await byOthers(opened, { type: "event_created", event: { ...event, attendees: guests }, organizer: ada });
    const [first] = await eventsOf(opened);
    await reply(first?.event_uid ?? "", opened, { status: "accepted" });
    const [after] = await eventsOf(opened);
    const replies = after?.attendees.map(({ email, status }) => [email, status]).sort();
    expect(replies).toEqual(
      [
        [json.account.email, "accepted"],
        ["grace@acme.io", "needs_action"],
      ].sort(),
    );
  });

  it("is refused to organizers and to users who are not invited", async () => {
    const { opened, uid } = await withForeign();
    expectIssues(await reply(uid, opened, { status: "accepted" }), { base: "errors.is_organizer" });
    await write(opened, { event_id: "own", ...event });
    const own = (await eventsOf(opened)).find(({ event_id }) => event_id === "own");
    expectIssues(await reply(own?.event_uid ?? "", opened, { status: "accepted" }), { base: "errors.is_organizer" });
    const stranger = await withForeign({ event: { ...event, attendees: grace }, organizer: ada });
    const { json } = await stranger.opened.get("/v1/account");
    await byOthers(stranger.opened, {
      ...{ type: "guest_replied", event_uid: stranger.uid },
      ...{ email: json.account.email, status: "accepted" },
    });
    expectIssues(await reply(stranger.uid, stranger.opened, { status: "declined" }), { base: "errors.not_a_guest" });
    expect(await rightsOf(stranger.uid, stranger.opened)).toEqual(all);
  });

  it("is 403 where the administrator does not allow it, and 404 for what the calendar does not have", async () => {
    const { opened, uid } = await withForeign(invitation, false);
    expect(await rightsOf(uid, opened)).toEqual(none);
    expect(await reply(uid, opened, { status: "accepted" })).toMatchObject({
      status: 403,
      json: { error: "forbidden" },
    });
    const other = await withForeign(invitation);
    expectEmpty(await reply(uid, other.opened, { status: "accepted" }), 404);
    const path = `/v1/calendars/cal_0/events/${other.uid}/participation_status`;
    expectEmpty(await other.opened.post(path, { status: "accepted" }), 404);
  });

  it("names what is wrong with the body before it looks for the event", async () => {
    const opened = await openCalendar();
    expectIssues(await reply("evt_0", opened, { status: "maybe", comment: "x".repeat(2_001) }), {
      status: "errors.invalid_value",
      comment: "errors.too_big",
    });
    expectIssues(await reply("evt_0", opened, {}), { status: "errors.required" });
    const path = `/v1/calendars/${opened.calendarId}/events/evt_0/participation_status`;
    const sent = await call("POST", path, { headers: { authorization: `Bearer ${opened.accessToken}` } });
    expectIssues(sent, { base: "errors.invalid_json" });
  });
});
