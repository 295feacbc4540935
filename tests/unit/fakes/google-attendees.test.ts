import type { calendar_v3 } from "@googleapis/calendar";
import { beforeEach, describe, expect, it } from "vitest";
import type { CalendarState } from "../../fakes/google/calendar-state";
import type { GoogleFake } from "../../fakes/google/google";
import { adaAndBob, failure, meeting } from "./google-client";

type Event = calendar_v3.Schema$Event;

let google: GoogleFake;
let api: calendar_v3.Calendar;
let state: CalendarState;

beforeEach(async () => {
  ({ google, api, state } = await adaAndBob());
  return google.close;
});

const guests = [{ email: "bob@example.com" }, { email: "carol@other.test" }];
const insert = async (requestBody: Event, sendUpdates?: string) =>
  (await api.events.insert({ calendarId: "primary", requestBody, ...(sendUpdates && { sendUpdates }) })).data;
const patch = async (
  eventId: string,
  requestBody: Event,
  more: Partial<calendar_v3.Params$Resource$Events$Patch> = {},
) => (await api.events.patch({ calendarId: "primary", eventId, requestBody, ...more })).data;
const mails = () => google.outbox.splice(0).map(({ to, kind }) => `${kind} ${to}`);

describe("attendees", () => {
  it("begin with needsAction, and are marked as organizer and self", async () => {
    const event = await insert(
      meeting({ attendees: [...guests, { email: "ada@example.com", responseStatus: "accepted" }] }),
    );
    expect(event.attendees).toEqual([
      { email: "bob@example.com", responseStatus: "needsAction" },
      { email: "carol@other.test", responseStatus: "needsAction" },
      { email: "ada@example.com", responseStatus: "accepted", organizer: true, self: true },
    ]);
  });

  it("are asked again when the time changes, whatever the body says, except the organizer", async () => {
    const { id = "" } = await insert(
      meeting({ attendees: [...guests, { email: "ada@example.com", responseStatus: "accepted" }] }),
    );
    state.reply(id ?? "", "bob@example.com", "accepted");
    state.reply(id ?? "", "carol@other.test", "declined", "Sorry");
    const same = await patch(id ?? "", { summary: "New title" });
    expect(same.attendees?.map(({ responseStatus }) => responseStatus)).toEqual(["accepted", "declined", "accepted"]);
    const { attendees } = same;
    const moved = await patch(id ?? "", { attendees, end: { dateTime: "2027-03-01T12:00:00+01:00" } });
    expect(moved.attendees?.map(({ responseStatus }) => responseStatus)).toEqual([
      "needsAction",
      "needsAction",
      "accepted",
    ]);
  });

  it("become a resource only when they are added", async () => {
    const { id } = await insert(meeting({ attendees: [{ email: "room@example.com", resource: true }, ...guests] }));
    const changed = [{ email: "room@example.com" }, { email: "bob@example.com", resource: true }];
    const after = await patch(id ?? "", { attendees: changed });
    expect(after.attendees).toMatchObject([{ resource: true }, { email: "bob@example.com" }]);
    expect(after.attendees?.[1]).not.toHaveProperty("resource");
  });

  it("with attendeesOmitted change the participant's response alone", async () => {
    const organizer = { email: "carol@other.test" };
    const id = state.putEvent(
      meeting({ organizer, attendees: [{ email: "ada@example.com" }, { email: "bob@example.com" }] }),
    );
    const own = [{ email: "ada@example.com", responseStatus: "tentative" }];
    const after = await patch(id, { attendeesOmitted: true, attendees: own });
    expect(after.attendees).toMatchObject([
      { email: "ada@example.com", responseStatus: "tentative", self: true },
      { email: "bob@example.com" },
    ]);
    expect((await patch(id, { attendees: own })).attendees).toHaveLength(1);
  });

  it("are hidden from guests who may not see others", async () => {
    const organizer = { email: "carol@other.test" };
    const attendees = [{ email: "ada@example.com" }, { email: "bob@example.com" }];
    const id = state.putEvent(meeting({ organizer, attendees, guestsCanSeeOtherGuests: false }));
    const { data } = await api.events.get({ calendarId: "primary", eventId: id });
    expect(data).toMatchObject({ attendeesOmitted: true, attendees: [{ email: "ada@example.com" }] });
  });
});

describe("emails", () => {
  it("are not sent by default, nor with none", async () => {
    const { id } = await insert(meeting({ attendees: guests }));
    await patch(id ?? "", { summary: "New" }, { sendUpdates: "none" });
    await api.events.delete({ calendarId: "primary", eventId: id ?? "" });
    expect(mails()).toEqual([]);
  });

  it("go to all guests with all: invitation, update, cancellation", async () => {
    const { id = "" } = await insert(meeting({ attendees: guests }), "all");
    expect(mails()).toEqual(["invitation bob@example.com", "invitation carol@other.test"]);
    const attendees = [{ email: "bob@example.com" }, { email: "dan@other.test" }];
    await patch(id ?? "", { attendees }, { sendUpdates: "all" });
    expect(mails()).toEqual(["update bob@example.com", "invitation dan@other.test", "cancellation carol@other.test"]);
    await api.events.delete({ calendarId: "primary", eventId: id ?? "", sendUpdates: "all" });
    expect(mails()).toEqual(["cancellation bob@example.com", "cancellation dan@other.test"]);
  });

  it("go to guests without a Google calendar with externalOnly", async () => {
    await insert(meeting({ attendees: guests }), "externalOnly");
    expect(mails()).toEqual(["invitation carol@other.test"]);
  });

  it("tell the organizer that a guest responded", async () => {
    const attendees = [{ email: "ada@example.com" }];
    const id = state.putEvent(meeting({ organizer: { email: "carol@other.test" }, attendees }));
    await patch(id, { attendees: [{ email: "ada@example.com", responseStatus: "declined" }] }, { sendUpdates: "all" });
    expect(mails()).toEqual(["reply carol@other.test"]);
  });

  it("400 for another value", async () => {
    expect(await failure(insert(meeting({ attendees: guests }), "some"))).toEqual({ status: 400, reason: "invalid" });
  });
});
