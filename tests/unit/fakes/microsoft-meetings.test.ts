import type { Client } from "@microsoft/microsoft-graph-client";
import type { Event } from "@microsoft/microsoft-graph-types";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { CalendarState } from "../../fakes/microsoft/calendar-state";
import type { MicrosoftFake } from "../../fakes/microsoft/microsoft";
import { adaOfMicrosoft, graphClient, meeting, weekly } from "./microsoft-client";

let microsoft: MicrosoftFake;
let api: Client;
let state: CalendarState;

beforeEach(async () => {
  ({ microsoft, api, state } = await adaOfMicrosoft());
});
afterEach(() => microsoft.close());

const online: Event = { isOnlineMeeting: true, onlineMeetingProvider: "teamsForBusiness" };
const post = (event: Event): Promise<Event> => api.api("/me/events").post(event);
const patch = (id: string | undefined, changes: Event): Promise<Event> => api.api(`/me/events/${id}`).patch(changes);
const get = (id: string | undefined): Promise<Event> => api.api(`/me/events/${id}`).get();
const html = (content: string | null | undefined) => ({ contentType: "html" as const, content: content ?? "" });

describe("an online meeting", () => {
  it("has a link, which the body has as well", async () => {
    const { isOnlineMeeting, onlineMeetingProvider, onlineMeeting, body, bodyPreview } = await post(
      meeting({ ...online, body: html("Hi") }),
    );
    expect([isOnlineMeeting, onlineMeetingProvider]).toEqual([true, "teamsForBusiness"]);
    expect(onlineMeeting?.joinUrl).toMatch(
      /^https:\/\/teams\.microsoft\.com\/l\/meetup-join\/19%3ameeting_.+context=%7b%22Tid%22/,
    );
    expect(body?.content).toContain(onlineMeeting?.joinUrl);
    expect(bodyPreview).toMatch(/^Hi\s+_+\s+Join Microsoft Teams Meeting/);
  });

  it("is of the calendar's default provider without one", async () => {
    expect(await post(meeting({ isOnlineMeeting: true }))).toMatchObject({ onlineMeetingProvider: "teamsForBusiness" });
  });

  it("is added by a later change", async () => {
    const { id } = await post(meeting());
    expect((await patch(id, online)).onlineMeeting?.joinUrl).toContain("teams.microsoft.com");
  });

  it("is not there in a calendar that does not allow it", async () => {
    const eve = graphClient(microsoft, "eve@outlook.test");
    expect(await eve.api("/me/events").post(meeting(online))).toMatchObject({
      isOnlineMeeting: false,
      onlineMeeting: null,
    });
    microsoft.account("ada@example.com").changeCalendar(state.id, { providers: ["skypeForBusiness"] });
    expect(await post(meeting(online))).toMatchObject({ isOnlineMeeting: false, onlineMeetingProvider: "unknown" });
  });

  it("cannot be turned off, nor given another provider", async () => {
    const { id, onlineMeeting } = await post(meeting(online));
    const after = await patch(id, { isOnlineMeeting: false, onlineMeetingProvider: "skypeForBusiness" });
    expect(after).toMatchObject({ isOnlineMeeting: true, onlineMeetingProvider: "teamsForBusiness", onlineMeeting });
  });

  it("stays when other fields change", async () => {
    const { id, onlineMeeting } = await post(meeting(online));
    const { body } = await get(id);
    expect(await patch(id, { subject: "Review", location: { displayName: "Room 1" } })).toMatchObject({
      onlineMeeting,
      body,
    });
  });

  it("is the same for each occurrence of a series", async () => {
    const { id = "", onlineMeeting } = await post(weekly(online));
    expect(await get(state.occurrenceId(id, "2027-03-08"))).toMatchObject({ isOnlineMeeting: true, onlineMeeting });
  });
});

describe("a change of the body of an online meeting", () => {
  it("that keeps the blob keeps the meeting, byte for byte", async () => {
    const { id, onlineMeeting, body } = await post(meeting({ ...online, body: html("Hi") }));
    const content = body?.content?.replace("Hi", "Hello");
    expect(await patch(id, { body: html(content) })).toMatchObject({
      isOnlineMeeting: true,
      onlineMeeting,
      body: { content },
    });
  });

  it("that loses the blob loses the meeting, and the next one brings both back", async () => {
    const { id, onlineMeeting } = await post(meeting(online));
    expect(await patch(id, { body: html("Hello") })).toMatchObject({
      isOnlineMeeting: false,
      onlineMeetingProvider: "unknown",
      onlineMeeting: null,
    });
    expect((await get(id)).body?.content).not.toContain("teams.microsoft.com");
    const again = await patch(id, { body: html("Hello again") });
    expect(again).toMatchObject({ isOnlineMeeting: true, onlineMeeting });
    expect(again.body?.content).toContain(onlineMeeting?.joinUrl);
    expect(await patch(id, { body: html("Hello"), ...online })).toMatchObject({ isOnlineMeeting: false });
  });

  it("is no loss for good: isOnlineMeeting brings the meeting back", async () => {
    const { id, onlineMeeting } = await post(meeting(online));
    await patch(id, { body: { contentType: "text", content: "Hello" } });
    expect(await patch(id, { subject: "Review" })).toMatchObject({ isOnlineMeeting: false });
    expect(await patch(id, online)).toMatchObject({ isOnlineMeeting: true, onlineMeeting });
  });
});

describe("a link that comes later", () => {
  it("comes after so many reads, with another change key", async () => {
    microsoft.knobs.meetings = { pendingReads: 2 };
    const { id, changeKey, isOnlineMeeting, onlineMeeting, body } = await post(meeting(online));
    expect([isOnlineMeeting, onlineMeeting]).toEqual([true, null]);
    expect(body?.content).not.toContain("teams.microsoft.com");
    expect((await get(id)).onlineMeeting).toBeNull();
    const after = await get(id);
    expect(after.onlineMeeting?.joinUrl).toContain("teams.microsoft.com");
    expect(after.body?.content).toContain(after.onlineMeeting?.joinUrl);
    expect(after.changeKey).not.toBe(changeKey);
  });

  it("comes when it is told, and only once", async () => {
    microsoft.knobs.meetings = { pendingReads: null };
    const { id = "" } = await post(meeting(online));
    for (const _ of [1, 2, 3]) expect((await get(id)).onlineMeeting).toBeNull();
    state.finishMeeting(id);
    expect((await get(id)).onlineMeeting?.joinUrl).toContain("teams.microsoft.com");
    expect(() => state.finishMeeting(id)).toThrow(/pending/);
  });

  it("waits through a change of the body", async () => {
    microsoft.knobs.meetings = { pendingReads: null };
    const { id = "" } = await post(meeting(online));
    await patch(id, { body: html("Hello") });
    state.finishMeeting(id);
    const { body, onlineMeeting } = await get(id);
    expect(body?.content).toMatch(/Hello[\s\S]*Join/);
    expect(onlineMeeting?.joinUrl).toContain("teams.microsoft.com");
  });
});

it("an invitation from elsewhere brings its meeting along", async () => {
  const joinUrl = "https://teams.microsoft.com/l/meetup-join/foreign";
  const id = state.putEvent({
    ...meeting(),
    organizer: { emailAddress: { address: "zoe@elsewhere.test" } },
    onlineMeeting: { joinUrl },
  });
  const event = await get(id);
  expect(event).toMatchObject({ isOnlineMeeting: true, onlineMeeting: { joinUrl } });
  expect(event.body?.content).toContain(joinUrl);
});
