import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Receiver, startReceiver } from "../fakes/receiver";
import { fileEnvironment } from "./file-environment";
import { ADA, BOB, syncedGoogle } from "./google-scene";
import { day, ours, watch } from "./world";

let receiver: Receiver;
beforeAll(async () => {
  receiver = await startReceiver();
});
fileEnvironment(() => ({ LOG_LEVEL: "error", CALLBACK_ALLOWED_ORIGINS: receiver.origin }));
afterAll(() => receiver.close());

const tzid = "Africa/Lagos";
const CAROL = "carol@example.com";
const recurrence = { rules: [{ frequency: "daily", count: 4 }] };

/** A series of the application's that Bob has accepted as a whole, and its third day declined by him. */
async function declined() {
  const scene = await syncedGoogle({ accounts: [{ email: ADA }, { email: BOB }] });
  const { person, path, calendar, calendarId } = scene;
  await person.post(path, ours("daily", { tzid, recurrence, attendees: { invite: [{ email: BOB }] } }));
  await person.push();
  const id = calendar.events()[0]?.id ?? "";
  const instance = (offset: number, time = "14") => `${id}_${day(offset).replaceAll("-", "")}T${time}0000Z`;
  calendar.reply(id, BOB, "accepted");
  await person.sync();
  const { settled, forget } = await watch(person, receiver);
  const reply = async (status: "declined" | "tentative" = "declined", email = BOB) => {
    calendar.reply(instance(4), email, status);
    await person.sync();
  };
  await reply();
  const write = async (more: object = {}) => {
    expect((await person.post(path, ours("daily", { tzid, ...more }))).status).toBe(202);
    await person.push();
    await person.sync();
  };
  const replies = async () => {
    const events = await person.events(calendarId);
    return events.map(({ occurrence_date, attendees }) => [
      occurrence_date,
      ...attendees.map(({ email, status }: { email: string; status: string }) => `${email.split("@")[0]} ${status}`),
    ]);
  };
  const atGoogle = (offset: number) =>
    Object.fromEntries(
      (calendar.event(instance(offset))?.attendees ?? []).map((one) => [one.email, one.responseStatus]),
    );
  return { ...scene, instance, settled, forget, reply, write, replies, atGoogle };
}

const as = (bob: Record<number, string>) =>
  Object.entries(bob).map(([offset, reply]) => [day(Number(offset)), `bob ${reply}`]);
const all = as({ 2: "accepted", 3: "accepted", 4: "declined", 5: "accepted" });

describe("a guest's reply to one occurrence of a series that the application wrote", () => {
  it("is that occurrence's, and notified once", async () => {
    const { person, calendarId, settled, replies } = await declined();
    expect(await replies()).toEqual(all);
    expect(await settled()).toEqual(["change"]);
    const [first] = await person.events(calendarId);
    expect(first).toMatchObject({ event_id: "daily", recurrence: { rules: [{ frequency: "daily", count: 4 }] } });
    await person.sync();
    expect(await settled()).toEqual(["change"]);
  });

  it("changes, and is that to the series again", async () => {
    const { person, calendar, instance, settled, reply, replies } = await declined();
    await settled();
    await reply("tentative");
    expect(await replies()).toContainEqual([day(4), "bob tentative"]);
    expect(await settled()).toEqual(["change", "change"]);
    calendar.reply(instance(4), BOB, "accepted");
    await person.sync();
    expect(await replies()).toContainEqual([day(4), "bob accepted"]);
    expect(await settled()).toEqual(["change", "change", "change"]);
  });

  it("stays when the application renames the series, and changes that day", async () => {
    const { person, path, calendarId, settled, forget, write, replies, atGoogle } = await declined();
    await settled();
    forget();
    await write({ summary: "Renamed" });
    const change = { summary: "Other", start: `${day(4)}T16:00:00Z`, end: `${day(4)}T17:00:00Z` };
    await person.post(`${path}/occurrences`, { event_id: "daily", occurrence_date: day(4), summary: "Other" });
    expect(await replies()).toEqual(all);
    await person.push();
    await person.sync();
    expect(await replies()).toEqual(all);
    expect(atGoogle(4)).toMatchObject({ [BOB]: "declined" });
    const events = await person.events(calendarId);
    expect(events.map(({ summary }) => summary)).toEqual(["Renamed", "Renamed", "Other", "Renamed"]);
    await person.post(`${path}/occurrences`, { event_id: "daily", occurrence_date: day(4), ...change });
    await person.push();
    await person.sync();
    expect(await replies()).toEqual(as({ 2: "accepted", 3: "accepted", 4: "needs_action", 5: "accepted" }));
    expect(await settled()).toEqual([]);
  });

  it("is not invented for the new time when the application moves the series: Google asks again", async () => {
    const { settled, forget, write, replies } = await declined();
    expect(await replies()).toEqual(all);
    await settled();
    forget();
    await write({ start: `${day(2)}T16:00:00Z`, end: `${day(2)}T17:00:00Z` });
    expect(await replies()).toEqual([2, 3, 4, 5].map((offset) => [day(offset), "bob needs_action"]));
    expect(await settled()).toEqual([]);
  });

  it("goes with the guest, and guests who are invited later come on that day, too", async () => {
    const { settled, forget, write, replies, atGoogle } = await declined();
    await settled();
    forget();
    await write({ attendees: { invite: [{ email: CAROL }] } });
    expect(await replies()).toContainEqual([day(4), "bob declined", "carol needs_action"]);
    expect(atGoogle(4)).toEqual({ [BOB]: "declined", [CAROL]: "needsAction" });
    await write({ attendees: { remove: [{ email: BOB }] } });
    expect(await replies()).toEqual([2, 3, 4, 5].map((offset) => [day(offset), "carol needs_action"]));
    expect(atGoogle(4)).toEqual({ [CAROL]: "needsAction" });
    expect(await settled()).toEqual([]);
  });

  it("that comes while a write waits is kept by both, and notified", async () => {
    const { person, path, settled, forget, reply, replies, atGoogle } = await declined();
    await settled();
    forget();
    await person.post(path, ours("daily", { tzid, summary: "Renamed" }));
    await reply("tentative");
    expect(await replies()).toContainEqual([day(4), "bob tentative"]);
    await person.push();
    await person.sync();
    expect(await replies()).toContainEqual([day(4), "bob tentative"]);
    expect(atGoogle(4)).toMatchObject({ [BOB]: "tentative" });
    expect(await settled()).toEqual(["change"]);
  });

  it("that comes between our read and our write is read after it, and notified", async () => {
    const { provider, person, path, calendar, instance, settled, forget, replies } = await declined();
    await settled();
    forget();
    provider.faults.next({ method: "PATCH", run: () => calendar.reply(instance(5), BOB, "declined") });
    await person.post(path, ours("daily", { tzid, summary: "Renamed" }));
    await person.push();
    await person.sync();
    expect(await replies()).toContainEqual([day(5), "bob declined"]);
    expect(await settled()).toEqual(["change"]);
  });
});

it("an occurrence that the calendar's owner declines is declined, and never busy", async () => {
  const { person, calendar, calendarId, instance } = await declined();
  const attendees = calendar.event(instance(3))?.attendees ?? [];
  const ada = { email: ADA, organizer: true, self: true, responseStatus: "declined" };
  calendar.changeEvent(instance(3), { attendees: [...attendees, ada] });
  await person.sync();
  const events = await person.events(calendarId);
  expect(events.map(({ participation_status }) => participation_status)).toEqual([
    "accepted",
    "declined",
    "accepted",
    "accepted",
  ]);
  const { json } = await person.get("/v1/free_busy", {
    ...{ tzid: "Etc/UTC", from: day(-1), to: day(30), include_managed: "true" },
  });
  expect(json.free_busy.map(({ start }: { start: string }) => start.slice(0, 10))).toEqual([2, 4, 5].map(day));
});
