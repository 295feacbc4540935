import type { calendar_v3 } from "@googleapis/calendar";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type GoogleFake, startGoogle } from "../../fakes/google/google";
import { failure, meeting, officialClient } from "./google-client";

type Event = calendar_v3.Schema$Event;

let google: GoogleFake;
let api: calendar_v3.Calendar;

beforeEach(async () => {
  google = await startGoogle();
  api = officialClient(google);
});
afterEach(() => google.close());

const calendarId = "primary";
/** The client's types leave out that null clears. */
const noConference: Event = JSON.parse('{"conferenceData":null}');
const asked = (requestId: string, type = "hangoutsMeet"): Event => ({
  conferenceData: { createRequest: { requestId, conferenceSolutionKey: { type } } },
});
const insert = async (requestBody: Event, conferenceDataVersion = 1) =>
  (await api.events.insert({ calendarId, requestBody, conferenceDataVersion })).data;
const patch = async (event: Event, requestBody: Event, conferenceDataVersion?: number) =>
  (
    await api.events.patch({
      calendarId,
      eventId: event.id ?? "",
      requestBody,
      ...(conferenceDataVersion !== undefined && { conferenceDataVersion }),
    })
  ).data;
const get = async ({ id }: Event) => (await api.events.get({ calendarId, eventId: id ?? "" })).data;
const statusOf = ({ conferenceData }: Event) => conferenceData?.createRequest?.status?.statusCode;

describe("conferences", () => {
  it("are created by a request, with a video entry point and a hangoutLink", async () => {
    const event = await insert(meeting(asked("one")));
    expect(event.hangoutLink).toMatch(/^https:\/\/meet\.google\.com\/[a-z]{3}-[a-z]{4}-[a-z]{3}$/);
    expect(event.conferenceData).toMatchObject({
      createRequest: { requestId: "one", status: { statusCode: "success" } },
      conferenceSolution: { key: { type: "hangoutsMeet" }, name: "Google Meet" },
      entryPoints: [{ entryPointType: "video", uri: event.hangoutLink }],
      conferenceId: event.hangoutLink?.split("/").at(-1),
      signature: expect.any(String),
    });
  });

  it("are ignored without conferenceDataVersion=1", async () => {
    expect(await insert(meeting(asked("one")), 0)).not.toHaveProperty("conferenceData");
    const event = await insert(meeting(asked("one")));
    expect(await patch(event, noConference)).toMatchObject({ hangoutLink: event.hangoutLink });
    const { data } = await api.events.update({ calendarId, eventId: event.id ?? "", requestBody: meeting() });
    expect(data.hangoutLink).toBe(event.hangoutLink);
  });

  it("are removed by null, and by a put that omits them", async () => {
    const event = await insert(meeting(asked("one")));
    const removed = await patch(event, noConference, 1);
    expect(removed).not.toHaveProperty("conferenceData");
    expect(removed).not.toHaveProperty("hangoutLink");
    const other = await insert(meeting(asked("two")));
    const { data } = await api.events.update({
      calendarId,
      eventId: other.id ?? "",
      requestBody: meeting(),
      conferenceDataVersion: 1,
    });
    expect(data).not.toHaveProperty("hangoutLink");
  });

  it("ignore a request with the id of the previous one, and follow a new id", async () => {
    const event = await insert(meeting(asked("one")));
    google.knobs.conference = { outcome: "failure", pendingReads: 0 };
    expect((await patch(event, asked("one"), 1)).hangoutLink).toBe(event.hangoutLink);
    google.knobs.conference = { outcome: "success", pendingReads: 0 };
    const { hangoutLink } = await patch(event, asked("two"), 1);
    expect(hangoutLink).toContain("meet.google.com");
    expect(hangoutLink).not.toBe(event.hangoutLink);
  });

  it("stay pending for as many reads as the knob says", async () => {
    google.knobs.conference = { outcome: "success", pendingReads: 2 };
    const event = await insert(meeting(asked("one")));
    expect(statusOf(event)).toBe("pending");
    expect(event).not.toHaveProperty("hangoutLink");
    expect([await get(event), await get(event)].map(statusOf)).toEqual(["pending", "pending"]);
    const ready = await get(event);
    expect(statusOf(ready)).toBe("success");
    expect(ready.etag).not.toBe(event.etag);
  });

  it("can fail, without entry points", async () => {
    google.knobs.conference = { outcome: "failure", pendingReads: 0 };
    const { conferenceData } = await insert(meeting(asked("one")));
    expect(conferenceData?.createRequest?.status?.statusCode).toBe("failure");
    expect(conferenceData).not.toHaveProperty("entryPoints");
    expect(conferenceData).not.toHaveProperty("conferenceSolution");
  });

  it("end when the test says so, which an incremental list shows", async () => {
    google.knobs.conference = { outcome: "success", pendingReads: null };
    const event = await insert(meeting(asked("one")));
    const { data } = await api.events.list({ calendarId });
    google.calendar("ada@example.com").finishConference(event.id ?? "");
    const changes = await api.events.list({ calendarId, syncToken: data.nextSyncToken ?? "" });
    expect(changes.data.items?.map(statusOf)).toEqual(["success"]);
  });

  it("400 for a type that the calendar does not allow, a request without id, and another version", async () => {
    const invalid = { status: 400, reason: "invalid" };
    expect(await failure(insert(meeting(asked("one", "eventHangout"))))).toEqual(invalid);
    expect(await failure(insert(meeting(asked(""))))).toEqual({ status: 400, reason: "required" });
    expect(await failure(insert(meeting(), 2))).toEqual(invalid);
  });

  it("are copied when they are given whole", async () => {
    const conferenceData = {
      conferenceSolution: { key: { type: "addOn" }, name: "Other" },
      entryPoints: [{ entryPointType: "video", uri: "https://other.test/1" }],
    };
    const event = await insert(meeting({ conferenceData }));
    expect(event.conferenceData).toEqual(conferenceData);
    expect(event).not.toHaveProperty("hangoutLink");
  });
});
