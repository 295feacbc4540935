import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Cyrus, startCyrus } from "../fakes/cyrus";
import { basic } from "../fakes/dav-server";
import { type OtherClient, otherClient } from "../fakes/other-client";
import { type Receiver, startReceiver } from "../fakes/receiver";
import { fileEnvironment } from "./file-environment";
import { connectPerson, day, ours, type Person, vevent, watch } from "./world";

/** A server that invites for its people, and brings their replies back (RFC 6638): Anna's account is connected, Ben is invited. */
let cyrus: Cyrus;
let receiver: Receiver;

beforeAll(async () => {
  [receiver, cyrus] = await Promise.all([startReceiver(), startCyrus()]);
});
fileEnvironment(() => ({
  CALLBACK_ALLOWED_ORIGINS: receiver.origin,
  ICLOUD_CALDAV_URL: cyrus.url,
  LOG_LEVEL: "error",
}));
afterAll(() => Promise.all([receiver, cyrus].map((one) => one?.close())));

interface Inviting {
  person: Person;
  calendarId: string;
  /** Both look into their calendars with clients of their own. */
  anna: OtherClient;
  ben: OtherClient;
  settled(): Promise<string[]>;
  write(event: object): Promise<void>;
  remove(eventId: string, more?: object): Promise<void>;
}

async function inviting(calendar: string): Promise<Inviting> {
  const anna = otherClient(await cyrus.makeCalendar(calendar), cyrus);
  const ben = otherClient(cyrus.second.calendar, cyrus.second);
  const person = await connectPerson(cyrus, cyrus);
  await person.sync();
  const calendarId = await person.calendarId(calendar);
  const path = `/v1/calendars/${calendarId}/events`;
  const { settled } = await watch(person, receiver);
  const brought = async ({ status, text }: { status: number; text: string }) => {
    expect([status, text]).toEqual([202, ""]);
    await person.push();
  };
  return {
    ...{ person, calendarId, anna, ben, settled },
    write: async (event) => brought(await person.post(path, event)),
    remove: async (eventId, more = {}) => brought(await person.remove(path, { event_id: eventId, ...more })),
  };
}

const withBen = (eventId: string, more: object = {}) => {
  const attendees = { invite: [{ email: cyrus.second.address, display_name: "Ben" }], remove: [] };
  return ours(eventId, { attendees, notify_attendees: true, ...more });
};
const unfolded = (ics: string | undefined) => (ics ?? "").replaceAll(/\r\n[ \t]/g, "");
const lineOfBen = (ics: string | undefined) => /^ATTENDEE.*:mailto:ben@.*$/m.exec(unfolded(ics))?.[0];
const saying = (reply: string) => (ics: string) => {
  const line = lineOfBen(ics) ?? "";
  return unfolded(ics).replace(line, line.replace("PARTSTAT=NEEDS-ACTION", `PARTSTAT=${reply}`));
};

describe("an event with a guest", () => {
  it("comes into the guest's calendar, and the reply comes back as one change", async () => {
    const { person, calendarId, anna, ben, settled, write } = await inviting("Invitations");
    await write(withBen("invited"));
    const invitation = await ben.find("Ours invited");
    expect(unfolded(invitation?.ics)).toMatch(/^ORGANIZER.*:mailto:anna@example.com$/m);
    expect(lineOfBen(invitation?.ics)).toContain("PARTSTAT=NEEDS-ACTION");
    await person.sync();
    const guests = async () => (await person.events(calendarId)).map(({ attendees }) => attendees);
    expect(await guests()).toEqual([[{ email: "ben@example.com", display_name: "Ben", status: "needs_action" }]]);
    expect(await settled()).toEqual([]);

    await ben.change("Ours invited", saying("ACCEPTED"));
    expect(lineOfBen((await anna.find("Ours invited"))?.ics)).toContain("PARTSTAT=ACCEPTED");
    await person.sync();
    expect(await guests()).toEqual([[{ email: "ben@example.com", display_name: "Ben", status: "accepted" }]]);
    expect(await settled()).toEqual(["change"]);
    await person.sync();
    expect(await settled()).toEqual(["change"]);
  });

  it("is rewritten by the server, which says so by giving no etag: what it added is no change of others", async () => {
    const { person, calendarId, anna, ben, settled, write } = await inviting("Rewritten");
    await write(withBen("rewritten"));
    const rewritten = await anna.find("Ours rewritten");
    expect(lineOfBen(rewritten?.ics)).toContain("SCHEDULE-STATUS=1.2");
    const again = { method: "PUT", headers: { authorization: basic(cyrus), "content-type": "text/calendar" } };
    const { status, headers } = await fetch(rewritten?.url ?? "", { ...again, body: rewritten?.ics });
    expect([status, headers.get("etag"), headers.has("schedule-tag")]).toEqual([204, null, true]);
    await person.sync();
    await write(withBen("rewritten", { start: `${day(3)}T14:00:00Z`, end: `${day(3)}T15:00:00Z` }));
    await person.sync();
    expect(unfolded((await ben.find("Ours rewritten"))?.ics)).toContain(
      `DTSTART:${day(3).replaceAll("-", "")}T140000Z`,
    );
    await write(withBen("rewritten", { summary: "Ours rewritten again" }));
    await person.sync();
    expect(await anna.list()).toHaveLength(1);
    expect(await person.events(calendarId)).toMatchObject([{ summary: "Ours rewritten again", event_id: "rewritten" }]);
    expect(await settled()).toEqual([]);
  });

  it("that is written while the guest replies keeps the reply, which is told of", async () => {
    const { person, calendarId, anna, ben, settled, write } = await inviting("Meanwhile");
    await write(withBen("meanwhile"));
    await person.sync();
    await ben.change("Ours meanwhile", saying("TENTATIVE"));
    await write(withBen("meanwhile", { location: { description: "Room 2" } }));
    expect(lineOfBen((await anna.find("Ours meanwhile"))?.ics)).toContain("PARTSTAT=TENTATIVE");
    await person.sync();
    expect(await person.events(calendarId)).toMatchObject([
      { location: { description: "Room 2" }, attendees: [{ status: "tentative" }] },
    ]);
    expect(await settled()).toEqual(["change"]);
  });

  it("is kept from the guest when nobody is to be notified, until a write that is to be", async () => {
    const { person, anna, ben, settled, write } = await inviting("Quiet");
    await write(withBen("quiet", { notify_attendees: false }));
    expect(lineOfBen((await anna.find("Ours quiet"))?.ics)).toContain("SCHEDULE-AGENT=CLIENT");
    expect(await ben.find("Ours quiet")).toBeUndefined();
    await write(withBen("quiet", { location: { description: "Room 2" } }));
    expect((await ben.find("Ours quiet"))?.ics).toContain("LOCATION:Room 2");
    await person.sync();
    expect(await settled()).toEqual([]);
  });

  it("that has come to the guest is not called off there by writes that nobody is to be notified of", async () => {
    const { person, anna, ben, settled, write, remove } = await inviting("Silent");
    const silent = { notify_attendees: false };
    await write(withBen("silent"));
    await write(withBen("silent", { ...silent, location: { description: "Room 2" } }));
    expect((await anna.find("Ours silent"))?.ics).toContain("LOCATION:Room 2");
    expect((await ben.find("Ours silent"))?.ics).toContain("STATUS:CONFIRMED");
    await remove("silent", silent);
    expect(await anna.list()).toEqual([]);
    expect((await ben.find("Ours silent"))?.ics).toContain("STATUS:CONFIRMED");
    await person.sync();
    expect(await settled()).toEqual([]);
  });

  it("is called off in the guest's calendar when the application deletes it", async () => {
    const { person, calendarId, anna, ben, settled, write, remove } = await inviting("Called off");
    await write(withBen("off"));
    await person.sync();
    expect((await ben.find("Ours off"))?.ics).not.toContain("STATUS:CANCELLED");
    await remove("off");
    expect((await ben.find("Ours off"))?.ics).toContain("STATUS:CANCELLED");
    await person.sync();
    expect(await anna.list()).toEqual([]);
    expect(await person.events(calendarId)).toEqual([]);
    expect(await settled()).toEqual([]);
  });

  it("is called off for a guest who is taken off", async () => {
    const { person, calendarId, ben, settled, write } = await inviting("Taken off");
    await write(withBen("without"));
    await write(withBen("without", { attendees: { invite: [], remove: [{ email: cyrus.second.address }] } }));
    expect((await ben.find("Ours without"))?.ics).toContain("STATUS:CANCELLED");
    await person.sync();
    expect(await person.events(calendarId)).toMatchObject([{ attendees: [] }]);
    expect(await settled()).toEqual([]);
  });
});

it("an invitation from others is an event in the calendar, and the message that brought it is none", async () => {
  const { person, ben, settled } = await inviting("Invited");
  const lines = ["ORGANIZER:mailto:ben@example.com", "ATTENDEE;PARTSTAT=ACCEPTED:mailto:ben@example.com"];
  await ben.create("theirs", vevent("theirs", [...lines, "ATTENDEE;PARTSTAT=NEEDS-ACTION:mailto:anna@example.com"]));
  await person.sync();
  const { json } = await person.get("/v1/calendars");
  const names = json.calendars.map((one: { calendar_name: string }) => one.calendar_name);
  expect(names.filter((name: string) => /inbox|outbox/i.test(name))).toEqual([]);
  const [primary] = json.calendars.filter((one: { calendar_primary: boolean }) => one.calendar_primary);
  expect(await person.events(primary.calendar_id)).toMatchObject([
    { summary: "theirs", participation_status: "needs_action", organizer: { email: "ben@example.com" } },
  ]);
  expect(await settled()).toEqual(["change"]);
});

it("an event of no length, which it cannot hold, is stored with the shortest one and stays", async () => {
  const { person, calendarId, anna, write } = await inviting("No length");
  const start = `${day(2)}T09:00:00Z`;
  await write(ours("short", { start, end: start }));
  expect(await anna.find("Ours short")).toBeDefined();
  await person.sync();
  expect(await person.events(calendarId)).toMatchObject([{ event_id: "short", start }]);
});
