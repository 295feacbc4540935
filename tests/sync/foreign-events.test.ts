import { describe, expect, it, onTestFinished } from "vitest";
import { db } from "@/server/db/client";
import { provideConnector } from "@/server/providers/connectors";
import { ofUid, tagOf } from "../api/named-events";
import { otherClient } from "../fakes/other-client";
import { setForeignEdits } from "../fakes/stored";
import { ADA, BOB, syncedGoogle, timed } from "./google-scene";
import * as ms from "./microsoft-scene";
import { scene } from "./scene";
import { connectPerson, day, ical, vevent, watch } from "./world";

const made = scene();
const CAROL = "carol@example.com";
const NONE = { update: false, delete: false, reply: false };

interface Someone {
  application: { clientId: string };
  accountId: string;
  accessToken: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into the documented JSON.
  events(calendarId: string): Promise<any[]>;
  post(path: string, json: unknown): Promise<{ status: number; text: string }>;
  push(): Promise<void>;
  sync(): Promise<void>;
}

/** What a test does with the one event, or series, that others have put into a calendar. */
async function withEvent<Person extends Someone>(person: Person, calendarId: string, isAllowed = true) {
  if (isAllowed) await setForeignEdits(person.application.clientId);
  await person.sync();
  const [event] = await person.events(calendarId);
  const uid: string = event.event_uid;
  const { settled } = await watch(person as never, made.receiver);
  const reply = async (status: string, more: object = {}, query: Record<string, string> = {}) => {
    const path = `/v1/calendars/${calendarId}/events/${uid}/participation_status?${new URLSearchParams(query)}`;
    return await person.post(path, { status, ...more });
  };
  const change = (body: object, query: Record<string, string> = {}) => ofUid("PATCH", uid, person, { body, query });
  const read = () => ofUid("GET", uid, person);
  const replies = async () =>
    (await person.events(calendarId)).map((one) => [one.occurrence_date, one.participation_status]);
  /** Nothing of what the application did comes back as a change of others. */
  const quiet = async () => {
    await person.sync();
    await person.sync();
    expect(await settled()).toEqual([]);
  };
  return { uid, reply, change, read, replies, settled, quiet };
}

describe("an event that the user created at Google", () => {
  const own = { summary: "Dentist", colorId: "5", location: "Here" };

  it("is changed in what the application changes, and nobody is notified", async () => {
    const { provider, person, calendar, calendarId } = await syncedGoogle({
      accounts: [{ email: ADA }, { email: BOB }],
    });
    const attendees = [{ email: BOB, responseStatus: "accepted" }];
    const id = calendar.putEvent({ ...own, ...timed(2), attendees });
    const { change, read } = await withEvent(person, calendarId);
    expect((await read()).json.rights).toEqual({ update: true, delete: true, reply: false });
    expect((await change({ summary: "Dentist, moved" })).status).toBe(200);
    calendar.changeEvent(id, { location: "There" });
    await person.push();
    const { summary, colorId, location, attendees: after } = calendar.event(id) ?? {};
    expect({ summary, colorId, location }).toEqual({ summary: "Dentist, moved", colorId: "5", location: "There" });
    expect(after).toMatchObject(attendees);
    expect(provider.outbox).toEqual([]);
    await person.sync();
    expect((await read()).json).toMatchObject({ summary: "Dentist, moved", location: { description: "There" } });
    expect((await read()).json).not.toHaveProperty("event_id");
    expect((await change({ start: `${day(3)}T10:00:00Z`, end: `${day(3)}T11:00:00Z` })).status).toBe(200);
    await person.push();
    expect(provider.outbox).toEqual([]);
    expect(new Date(calendar.event(id)?.start?.dateTime ?? "").toISOString()).toBe(`${day(3)}T10:00:00.000Z`);
  });

  it("comes back to the application as no change of others", async () => {
    const { person, calendar, calendarId } = await syncedGoogle();
    calendar.putEvent({ ...own, ...timed(2) });
    const { change, quiet } = await withEvent(person, calendarId);
    await change({ summary: "Dentist, moved", description: "Bring the card" });
    await person.push();
    await quiet();
  });

  it("keeps guests as they are, also those who were removed since", async () => {
    const { person, calendar, calendarId } = await syncedGoogle();
    const guests = [BOB, CAROL].map((email) => ({ email, responseStatus: "accepted" }));
    const id = calendar.putEvent({ ...own, ...timed(2), attendees: guests });
    const { change } = await withEvent(person, calendarId);
    calendar.changeEvent(id, { attendees: guests.slice(0, 1) });
    await change({ summary: "Dentist, moved" });
    await person.push();
    expect(calendar.event(id)?.attendees?.map(({ email }) => email)).toEqual([BOB]);
  });

  it("is changed one occurrence at a time, or as a series, and skipped", async () => {
    const { person, calendar, calendarId } = await syncedGoogle();
    const id = calendar.putEvent({ ...own, ...timed(2), recurrence: ["RRULE:FREQ=DAILY;COUNT=4"] });
    const { uid, change, quiet } = await withEvent(person, calendarId);
    const instance = (offset: number) => calendar.event(`${id}_${day(offset).replaceAll("-", "")}T090000Z`);
    await change({ summary: "Only today" });
    await person.push();
    expect(instance(2)?.summary).toBe("Only today");
    await change({ location: { description: "There" } }, { occurrence_date: day(3), scope: "all" });
    expect((await ofUid("DELETE", uid, person, { query: { occurrence_date: day(4) } })).status).toBe(202);
    await person.push();
    expect(calendar.event(id)).toMatchObject({ summary: "Dentist", location: "There" });
    expect(instance(4)?.status).toBe("cancelled");
    await quiet();
    expect(await person.events(calendarId)).toHaveLength(3);
  });

  it("is deleted without notice, and is not created again where others were faster", async () => {
    const { provider, person, calendar, calendarId } = await syncedGoogle({
      accounts: [{ email: ADA }, { email: BOB }],
    });
    const id = calendar.putEvent({ ...own, ...timed(2), attendees: [{ email: BOB, responseStatus: "accepted" }] });
    const first = await withEvent(person, calendarId);
    expect((await ofUid("DELETE", first.uid, person)).status).toBe(202);
    await person.push();
    expect([calendar.event(id)?.status, provider.outbox]).toEqual(["cancelled", []]);
    const other = calendar.putEvent({ ...own, ...timed(2) });
    const second = await withEvent(person, calendarId);
    calendar.deleteEvent(other);
    expect((await second.change({ summary: "Too late" })).status).toBe(200);
    await person.push();
    await person.sync();
    expect(calendar.event(other)?.status).toBe("cancelled");
    expect(await person.events(calendarId)).toEqual([]);
    expect(await second.settled()).toContain("change");
  });

  it("is left alone unless the administrator allows it and the connect page said so", async () => {
    const { provider, person, calendar, calendarId } = await syncedGoogle();
    calendar.putEvent({ ...own, ...timed(2) });
    const { uid, change, read } = await withEvent(person, calendarId, false);
    const refused = async () => {
      expect((await read()).json.rights).toEqual(NONE);
      const { status } = await ofUid("DELETE", uid, person);
      expect([(await change({ summary: "x" })).status, status]).toEqual([403, 403]);
    };
    await refused();
    await setForeignEdits(person.application.clientId);
    await db().prisma.profile.update({ where: { id: person.profileId }, data: { foreignEdits: false } });
    await refused();
    provider.requests.length = 0;
    await person.push();
    expect(provider.requests).toEqual([]);
  });

  it("is someone else's to change if someone else organizes it", async () => {
    const { person, calendar, calendarId } = await syncedGoogle();
    const attendees = [{ email: ADA, responseStatus: "needsAction" }];
    calendar.putEvent({ ...own, ...timed(2), organizer: { email: BOB }, attendees });
    const { change, read } = await withEvent(person, calendarId);
    expect((await read()).json.rights).toEqual({ update: false, delete: false, reply: true });
    expect((await change({ summary: "x" })).status).toBe(403);
  });
});

describe("a reply to an invitation at Google", () => {
  const guests = () => [
    { email: ADA, responseStatus: "needsAction" },
    { email: CAROL, responseStatus: "tentative" },
  ];
  const invitation = { summary: "Kick-off", organizer: { email: BOB } };

  async function invited(more: object = {}) {
    const found = await syncedGoogle();
    const id = found.calendar.putEvent({ ...invitation, ...timed(2), attendees: guests(), ...more });
    const statusOf = (of = id) =>
      Object.fromEntries(
        (found.calendar.event(of)?.attendees ?? []).map((one) => [one.email, [one.responseStatus, one.comment]]),
      );
    return { ...found, id, statusOf, ...(await withEvent(found.person, found.calendarId)) };
  }

  it("is the user's own, with its comment, leaves free/busy at once, and is no change of others", async () => {
    const { person, reply, replies, statusOf, quiet } = await invited();
    expect((await reply("declined", { comment: "On holiday" })).status).toBe(202);
    expect(await replies()).toEqual([[undefined, "declined"]]);
    await person.sync();
    expect(await replies()).toEqual([[undefined, "declined"]]);
    await person.push();
    expect(statusOf()).toEqual({ [ADA]: ["declined", "On holiday"], [CAROL]: ["tentative", undefined] });
    await quiet();
    expect(await replies()).toEqual([[undefined, "declined"]]);
  });

  it("is possible where the guest list is hidden", async () => {
    const { person, reply, statusOf, quiet } = await invited({ guestsCanSeeOtherGuests: false });
    expect((await reply("accepted")).status).toBe(202);
    await person.push();
    expect(statusOf()).toEqual({ [ADA]: ["accepted", undefined], [CAROL]: ["tentative", undefined] });
    await quiet();
  });

  it("is to one occurrence of a series, or to all of it", async () => {
    const { person, id, reply, replies, statusOf } = await invited({ recurrence: ["RRULE:FREQ=DAILY;COUNT=3"] });
    const instance = (offset: number) => `${id}_${day(offset).replaceAll("-", "")}T090000Z`;
    expect((await reply("declined", {}, { occurrence_date: day(3) })).status).toBe(202);
    await person.push();
    expect(statusOf(instance(3))).toMatchObject({ [ADA]: ["declined", undefined] });
    expect(statusOf()).toMatchObject({ [ADA]: ["needsAction", undefined] });
    expect((await reply("accepted", {}, { scope: "all" })).status).toBe(202);
    await person.push();
    await person.sync();
    expect(statusOf()).toMatchObject({ [ADA]: ["accepted", undefined] });
    expect(await replies()).toEqual([
      [day(2), "accepted"],
      [day(3), "declined"],
      [day(4), "accepted"],
    ]);
  });

  it("is undone where Google says no", async () => {
    const { provider, person, reply, replies, settled } = await invited();
    await reply("accepted");
    provider.faults.next({ method: "PATCH", path: /\/events/, respond: "forbidden" as never });
    await person.push();
    await person.sync();
    expect(await replies()).toEqual([[undefined, "needs_action"]]);
    expect(await settled()).toContain("change");
  });
});

describe.each(["microsoft", "outlook"] as const)("at Microsoft (%s)", (provider) => {
  it("an event of the user's without guests is changed, and one with guests, who would be notified, is not", async () => {
    const { person, fake, calendar, calendarId } = await ms.syncedMicrosoft({ provider });
    const id = calendar.putEvent({ subject: "Dentist", categories: ["Red"], ...ms.timed(2) });
    const { change, read, quiet } = await withEvent(person, calendarId);
    expect((await read()).json.rights).toEqual({ update: true, delete: true, reply: false });
    expect((await change({ summary: "Dentist, moved", location: { description: "There" } })).status).toBe(200);
    await person.push();
    expect(calendar.event(id)).toMatchObject({
      ...{ subject: "Dentist, moved", categories: ["Red"] },
      location: { displayName: "There" },
    });
    expect(fake.outbox).toEqual([]);
    await quiet();
    calendar.changeEvent(id, { attendees: [{ type: "required", emailAddress: { address: BOB } }] });
    await person.sync();
    expect((await read()).json.rights).toEqual(NONE);
    expect((await change({ summary: "x" })).status).toBe(403);
  });

  const organizer = { organizer: { emailAddress: { address: BOB, name: "Bob" } } };
  const guests = { attendees: [{ type: "required", emailAddress: { address: ADA } }] as never };

  it("a reply is sent to the organizer, and a declined event is gone", async () => {
    const { person, fake, calendar, calendarId } = await ms.syncedMicrosoft({ provider });
    const id = calendar.putEvent({ subject: "Kick-off", ...organizer, ...guests, ...ms.timed(2) });
    const { read, reply, replies, quiet } = await withEvent(person, calendarId);
    expect((await read()).json.rights).toEqual({ update: false, delete: false, reply: true });
    await reply("tentative", { comment: "Perhaps" });
    await person.push();
    expect(calendar.event(id)?.responseStatus?.response).toBe("tentativelyAccepted");
    expect(fake.outbox).toMatchObject([{ to: BOB, kind: "tentativelyAccepted", comment: "Perhaps" }]);
    await quiet();
    expect(await replies()).toEqual([[undefined, "tentative"]]);
    await reply("declined");
    expect(await replies()).toEqual([[undefined, "declined"]]);
    await person.push();
    expect(calendar.event(id)).toBeUndefined();
    await person.sync();
    expect(await person.events(calendarId)).toEqual([]);
  });

  it("a reply is to one occurrence, also where the guest list is hidden", async () => {
    const { person, fake, calendar, calendarId } = await ms.syncedMicrosoft({
      provider,
      knobs: { declinedStay: true },
    });
    const recurrence = {
      pattern: { type: "daily" as const, interval: 1 },
      range: { type: "numbered" as const, startDate: day(2), numberOfOccurrences: 3 },
    };
    const id = calendar.putEvent({ subject: "Kick-off", ...organizer, ...guests, ...ms.timed(2), recurrence });
    const { reply, quiet } = await withEvent(person, calendarId);
    expect((await reply("declined", {}, { occurrence_date: day(3) })).status).toBe(202);
    await person.push();
    expect(calendar.event(calendar.occurrenceId(id, day(3)))?.responseStatus?.response).toBe("declined");
    expect(fake.outbox).toMatchObject([{ to: BOB, kind: "declined", occurrence: day(3) }]);
    await quiet();
  });
});

describe("on CalDAV", () => {
  const THEIRS = "theirs";
  async function withResource(...lines: string[]) {
    const { radicale } = made;
    const person = await connectPerson(radicale, radicale);
    provideConnector("icloud", person.connector);
    onTestFinished(() => provideConnector("icloud", null));
    const calendarId = await person.calendarId("Personal");
    const client = otherClient(radicale.calendar, radicale);
    for (const { url } of await client.list()) await client.remove(url);
    await client.create(THEIRS, vevent(THEIRS, ["SUMMARY:Dentist", "X-THEIRS:kept", ...lines]));
    const text = async () => (await client.find(THEIRS))?.ics.replace(/\r?\n[ \t]/g, "") ?? "";
    return { person, client, calendarId, text, ...(await withEvent(person, calendarId)) };
  }

  it("an event of the user's is changed in its resource, which keeps everything else", async () => {
    const { person, change, read, text, quiet } = await withResource();
    expect((await read()).json.rights).toEqual({ update: true, delete: true, reply: false });
    const changed = await change({ summary: "Dentist, moved" });
    expect(changed.status).toBe(200);
    await person.push();
    expect(await text()).toMatch(/SUMMARY:Dentist, moved|SUMMARY:Dentist\\, moved/);
    expect(await text()).toContain("X-THEIRS:kept");
    expect(await text()).toContain(`UID:${THEIRS}`);
    await quiet();
    expect(tagOf(await read())).toBe(tagOf(changed));
  });

  it("a reply sets the user's PARTSTAT, of the series or of one occurrence, and nothing else", async () => {
    const { radicale } = made;
    const { text, person, reply, replies, quiet } = await withResource(
      `DTSTART:${ical(2, "100000Z")}`,
      `DTEND:${ical(2, "110000Z")}`,
      "RRULE:FREQ=DAILY;COUNT=3",
      "ORGANIZER:mailto:bob@example.com",
      `ATTENDEE;PARTSTAT=NEEDS-ACTION;RSVP=TRUE:mailto:${radicale.user}`,
      "ATTENDEE;PARTSTAT=TENTATIVE:mailto:carol@example.com",
    );
    expect((await reply("declined", { comment: "Ill, sorry" }, { occurrence_date: day(3) })).status).toBe(202);
    await person.push();
    const [master = "", override = ""] = (await text()).split("BEGIN:VEVENT").slice(1);
    const own = [master, override].sort((one) => (one.includes("RECURRENCE-ID") ? 1 : -1));
    expect(own[0]).toMatch(new RegExp(`ATTENDEE;PARTSTAT=NEEDS-ACTION[^\\n]*:mailto:${radicale.user}`));
    expect(own[1]).toMatch(new RegExp(`RECURRENCE-ID:${ical(3, "100000Z")}`));
    expect(own[1]).toMatch(new RegExp(`DTSTART:${ical(3, "100000Z")}`));
    expect(own[1]).toMatch(new RegExp(`ATTENDEE;PARTSTAT=DECLINED[^\\n]*:mailto:${radicale.user}`));
    expect(own[1]).toContain("ATTENDEE;PARTSTAT=TENTATIVE:mailto:carol@example.com");
    expect(own[1]).toContain("COMMENT:Ill\\, sorry");
    await quiet();
    await reply("accepted", {}, { scope: "all" });
    await person.push();
    await quiet();
    expect(await replies()).toEqual([
      [day(2), "accepted"],
      [day(3), "declined"],
      [day(4), "accepted"],
    ]);
  });
});
