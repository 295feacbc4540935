import { describe, expect, it } from "vitest";
import type { EventState } from "@/server/domain/events/event-state";
import { conferencingOf } from "@/server/providers/microsoft/read-content";
import { itemOf } from "@/server/providers/microsoft/series-items";
import { meetingLink } from "@/server/providers/microsoft/write-meeting";
import { at, eventState, ruleSeries, writingToMicrosoft } from "./microsoft-writing";

const pending = { pending: true as const };
type Options = Parameters<typeof writingToMicrosoft>[0];

/** An event with a meeting, whose link is there. */
async function withMeeting(more: Partial<EventState> = {}, options: Options = {}) {
  const writing = await writingToMicrosoft(options);
  const written = await writing.push(eventState({ conferencing: pending, description: "Agenda", ...more }));
  const { conferencing } = (written.kind === "done" && written.state) || {};
  writing.asked();
  const html = () => writing.shown()?.body?.content ?? "";
  const joinUrl = writing.shown()?.onlineMeeting?.joinUrl ?? "";
  const blob = html().slice(html().indexOf('<div style="width:100%; height:20px">'), html().search(/\s*<\/body>/) + 2);
  const read = async () => (await writing.read(writing.id())).state;
  return { ...writing, read, html, blob, joinUrl, link: conferencing ?? null };
}

describe("a meeting at Microsoft", () => {
  it("is created with its event, and its text is no part of the description", async () => {
    const { link, joinUrl, html, read } = await withMeeting();
    expect(link).toEqual({ provider: "microsoft_teams", join_url: joinUrl });
    expect(html()).toContain(joinUrl);
    expect(await read()).toMatchObject({ description: "Agenda", conferencing: link });
  });

  it("is requested later with one PATCH, and once", async () => {
    const { push, asked, fake } = await writingToMicrosoft();
    await push(eventState());
    asked();
    const written = await push(eventState({ conferencing: pending }));
    expect(JSON.parse(fake.requests[1]?.body ?? "")).toEqual({
      ...{ isOnlineMeeting: true, onlineMeetingProvider: "teamsForBusiness" },
    });
    expect(written).toMatchObject({ state: { conferencing: { provider: "microsoft_teams" } } });
    asked();
    await push(eventState({ conferencing: pending }), { changedFields: ["conferencing"] });
    expect(asked()).toEqual(["GET events/…"]);
  });

  it("is there later, or never", async () => {
    const { push, api, calendar, id } = await writingToMicrosoft({ knobs: { meetings: { pendingReads: null } } });
    const written = await push(eventState({ conferencing: pending }));
    expect(written).toMatchObject({ state: { conferencing: pending } });
    const look = () => meetingLink(api, { calendarId: calendar.id, externalId: id() });
    expect(await look()).toBe("pending");
    calendar.finishMeeting(id());
    expect(await look()).toMatchObject({ provider: "microsoft_teams" });
    calendar.deleteEvent(id());
    expect(await look()).toBe("failed");
  });

  it("comes to nothing where the calendar allows no Teams meeting", async () => {
    const { push, api, calendar, id, fake } = await writingToMicrosoft();
    fake.account("ada@example.com").changeCalendar(calendar.id, { providers: [], defaultProvider: "unknown" });
    expect(await push(eventState({ conferencing: pending }))).toMatchObject({ state: { conferencing: null } });
    expect(await meetingLink(api, { calendarId: calendar.id, externalId: id() })).toBe("failed");
  });

  it("keeps its text byte by byte when the description changes", async () => {
    const { push, html, blob, shown, read, joinUrl, asked } = await withMeeting();
    const description = "Agenda\n\n  <b>not bold</b> & more  spaces";
    const written = await push(eventState({ conferencing: pending, description }));
    expect(asked()).toEqual(["GET events/…", "GET events/…", "PATCH events/…"]);
    expect(html()).toContain(blob);
    expect(html().split("me-email-text")).toHaveLength(2);
    expect(shown()).toMatchObject({ isOnlineMeeting: true, onlineMeeting: { joinUrl } });
    expect(written).toMatchObject({ state: { description } });
    expect((await read()).description).toBe("Agenda\n\n<b>not bold</b> & more  spaces");
    await push(eventState({ conferencing: pending, description: "" }));
    expect(html()).toContain(blob);
    expect(await read()).toMatchObject({ description: "", conferencing: { join_url: joinUrl } });
  });

  it("keeps its text when others have written around it", async () => {
    const { push, calendar, id, html, blob, shown } = await withMeeting();
    const content = `<html><body class="x"><p>Before</p>${blob}<p>After</p></body></html>`;
    calendar.changeEvent(id(), { body: { contentType: "html", content } });
    await push(eventState({ conferencing: pending, description: "Ours" }));
    expect(html()).toBe(`<html><body class="x"><div>Ours</div>\r\n${blob}</body></html>`);
    expect(shown()?.isOnlineMeeting).toBe(true);
  });

  it("whose text has another form keeps its link", async () => {
    const { push, calendar, id, html, joinUrl, shown } = await withMeeting();
    const link = `<a href="${joinUrl}">Join</a>`;
    calendar.changeEvent(id(), { body: { contentType: "html", content: `<body>Before ${link} after</body>` } });
    await push(eventState({ conferencing: pending, description: "Ours" }));
    expect(html()).toContain(link);
    expect(html()).not.toContain("Before");
    expect(shown()?.isOnlineMeeting).toBe(true);
  });

  it("stays when the event moves or has another title, and no body is sent", async () => {
    const { push, html, joinUrl, fake, asked } = await withMeeting();
    const before = html();
    asked();
    const span = { starts: at("2027-03-02T08:00:00Z"), ends: at("2027-03-02T09:00:00Z"), allDay: false };
    const written = await push(eventState({ conferencing: pending, description: "Agenda", summary: "New", span }));
    expect(JSON.parse(fake.requests[1]?.body ?? "")).not.toHaveProperty("body");
    expect(html()).toBe(before);
    expect(written).toMatchObject({ state: { conferencing: { join_url: joinUrl } } });
  });

  it("is kept in occurrences whose description is their own", async () => {
    const { push, calendar, id, blob, read } = await withMeeting({ ruleSeries: ruleSeries({ count: 5 }) });
    const changed = [{ day: "2027-03-03", span: null, texts: { description: "Once" } }];
    const base = ruleSeries({ count: 5 });
    const state = { conferencing: pending, description: "Agenda", ruleSeries: ruleSeries({ count: 5 }, { changed }) };
    await push(eventState(state), { base, changedFields: ["2027-03-03"] });
    const occurrence = calendar.event(calendar.occurrenceId(id(), "2027-03-03"));
    expect(occurrence?.body?.content).toContain(`<div>Once</div>\r\n${blob}`);
    expect((await read()).icalRecurrence?.overrides).toMatchObject([{ fields: { description: "Once" } }]);
  });
});

describe("a meeting that is taken off at Microsoft", () => {
  it("is shown no more, in the calendar or to the application, though Microsoft keeps it", async () => {
    const { push, html, read, joinUrl, asked } = await withMeeting();
    const written = await push(eventState({ description: "Agenda" }));
    expect(asked()).toEqual(["GET events/…", "GET events/…", "PATCH events/…"]);
    expect(written).toMatchObject({ state: { conferencing: null, description: "Agenda" } });
    expect(html()).not.toContain(joinUrl);
    expect(html()).toContain("Agenda");
    expect(await read()).toMatchObject({ conferencing: null, description: "Agenda" });
  });

  it("stays off when the description changes, which brings its text back", async () => {
    const { push, html, read, joinUrl } = await withMeeting();
    await push(eventState({ description: "Agenda" }));
    const written = await push(eventState({ description: "New agenda" }));
    expect(html()).not.toContain(joinUrl);
    expect(written).toMatchObject({ state: { conferencing: null, description: "New agenda" } });
    await push(eventState({ description: "New agenda", summary: "New" }));
    expect(html()).not.toContain(joinUrl);
    expect(await read()).toMatchObject({ conferencing: null, description: "New agenda", summary: "New" });
  });

  it("stays off when others bring it back", async () => {
    const { push, calendar, api, id } = await withMeeting();
    await push(eventState({ description: "Agenda" }));
    calendar.changeEvent(id(), { body: { contentType: "text", content: "Theirs" } });
    const item = await itemOf(api, calendar.id, id());
    expect(item && conferencingOf(item)).toBeNull();
  });

  it("comes back when the application asks for one again", async () => {
    const { push, html, joinUrl, read } = await withMeeting();
    await push(eventState({ description: "Agenda" }));
    const written = await push(eventState({ description: "Agenda", conferencing: pending }));
    expect(written).toMatchObject({ state: { conferencing: { join_url: joinUrl }, description: "Agenda" } });
    expect(html()).toContain(joinUrl);
    expect(await read()).toMatchObject({ conferencing: { join_url: joinUrl } });
  });

  it("is not hidden where the link is only in the application's own text", async () => {
    const { push, asked, id, calendar } = await writingToMicrosoft();
    const description = "Join https://teams.microsoft.com/l/meetup-join/abc";
    await push(eventState({ description }));
    asked();
    await push(eventState({ description }));
    expect(asked()).toEqual(["GET events/…"]);
    expect(Object.keys(calendar.properties(id())).filter((name) => name.includes("almanac_meeting"))).toEqual([]);
  });
});
