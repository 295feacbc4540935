import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Receiver, startReceiver } from "../fakes/receiver";
import { fileEnvironment } from "./file-environment";
import { ADA, at, BOB, syncedGoogle, timed } from "./google-scene";
import { day, ours, watch } from "./world";

let receiver: Receiver;
beforeAll(async () => {
  receiver = await startReceiver();
});
fileEnvironment(() => ({ LOG_LEVEL: "error", CALLBACK_ALLOWED_ORIGINS: receiver.origin }));
afterAll(() => receiver.close());

async function notified() {
  const scene = await syncedGoogle({ accounts: [{ email: ADA }, { email: BOB }] });
  const { person, path } = scene;
  const { settled, forget } = await watch(person, receiver);
  /** What the application writes is at Google, and is read from there. */
  const write = async (body: object) => {
    expect((await person.post(path, body)).status).toBe(202);
    await person.push();
    await person.sync();
  };
  return { ...scene, settled, forget, write };
}

describe("an application is not notified of its own writes", () => {
  it("whatever Google makes of them: guests, a description that it cuts, a link, a url of no web page", async () => {
    const { person, path, settled, write } = await notified();
    const invited = { attendees: { invite: [{ email: "BOB@Example.com", display_name: "Bob" }] } };
    const texts = {
      description: "x".repeat(9_000),
      url: "mailto:room@example.com",
      location: { description: "Room 1" },
    };
    const link = { conferencing: { profile_id: "integrated" } };
    await write(ours("one", { ...invited, ...texts, ...link }));
    await write(ours("one", { summary: "Renamed", transparency: "transparent" }));
    await write(ours("one", { start: day(4), end: day(5) }));
    await person.remove(path, { event_id: "one" });
    await person.push();
    await person.sync();
    expect(await settled()).toEqual([]);
  });

  it("of a series, its occurrences and all that Google changes along with it", async () => {
    const { person, path, settled, write } = await notified();
    const series = { tzid: "Africa/Lagos", attendees: { invite: [{ email: BOB }] } };
    const rules = [{ frequency: "daily", count: 5 }];
    const change = [{ date: day(3), summary: "Other" }];
    await write(ours("daily", { ...series, recurrence: { rules, exceptions: { add: [{ date: day(4) }], change } } }));
    await write(ours("daily", { ...series, summary: "Renamed" }));
    await write(ours("daily", { ...series, start: `${day(2)}T16:00:00Z`, end: `${day(2)}T17:30:00Z` }));
    await write(ours("daily", { ...series, recurrence: { rules: [{ frequency: "daily", count: 3 }] } }));
    await person.post(`${path}/occurrences`, { event_id: "daily", occurrence_date: day(4), summary: "Back" });
    await person.push();
    await person.sync();
    await person.remove(path, { event_id: "daily", occurrence_date: day(3) });
    await person.push();
    await person.sync();
    expect(await settled()).toEqual([]);
  });

  it("when the response to one is lost and a read comes before the next try", async () => {
    const { provider, person, path, settled } = await notified();
    provider.faults.next({ method: "POST", path: /events$/, afterWork: true, respond: "backendError" });
    await person.post(path, ours("one"));
    await person.push();
    await person.sync();
    await person.push();
    await person.sync();
    expect(await settled()).toEqual([]);
  });

  it("that moves an event, after which Google asks the guests again", async () => {
    const { person, calendar, calendarId, settled, forget, write } = await notified();
    await write(ours("one", { attendees: { invite: [{ email: BOB }, { email: "carol@example.com" }] } }));
    calendar.reply(calendar.events()[0]?.id ?? "", BOB, "accepted");
    await person.sync();
    await settled();
    forget();
    await write(ours("one", { start: `${day(3)}T08:00:00Z`, end: `${day(3)}T09:00:00Z` }));
    const [event] = await person.events(calendarId);
    expect(event.attendees).toMatchObject([{ status: "needs_action" }, { status: "needs_action" }]);
    expect(await settled()).toEqual([]);
  });

  it("in a calendar of a team, in whose name Google sends invitations", async () => {
    const { ada, person, settled, forget } = await notified();
    ada.addCalendar({ id: "team@group", summary: "Team" });
    await person.sync();
    await settled();
    forget();
    const teamId = await person.calendarId("Team");
    for (const summary of ["Planning", "Plans"]) {
      await person.post(`/v1/calendars/${teamId}/events`, ours("one", { summary }));
      await person.push();
      await person.sync();
    }
    expect(await person.events(teamId)).toMatchObject([{ summary: "Plans", organizer: { display_name: "Team" } }]);
    expect(await settled()).toEqual([]);
  });

  it("when its calendar's owner is among the guests that it invites", async () => {
    const { person, calendarId, settled, write } = await notified();
    const guests = { attendees: { invite: [{ email: ADA }, { email: BOB }] } };
    await write(ours("one", guests));
    await write(ours("one", { ...guests, summary: "Renamed" }));
    expect(await settled()).toEqual([]);
    const [event] = await person.events(calendarId);
    expect(event).toMatchObject({ participation_status: "accepted", attendees: [{ email: BOB }] });
  });
});

describe("an application is notified once", () => {
  it("when a guest replies at Google, to an event or to a series", async () => {
    const { person, calendar, calendarId, settled, forget, write } = await notified();
    const guests = { attendees: { invite: [{ email: BOB }] } };
    await write(ours("one", guests));
    await write(
      ours("daily", { ...guests, tzid: "Africa/Lagos", recurrence: { rules: [{ frequency: "daily", count: 3 }] } }),
    );
    expect(await settled()).toEqual([]);
    const [single, series] = calendar.events().map(({ id }) => id ?? "");
    calendar.reply(single ?? "", BOB, "accepted");
    await person.sync();
    expect(await settled()).toEqual(["change"]);
    forget();
    calendar.reply(series ?? "", BOB, "declined", "On holiday");
    await person.sync();
    expect(await settled()).toEqual(["change"]);
    const events = await person.events(calendarId);
    const replies = events.map(({ event_id, attendees }) => `${event_id} ${attendees[0].status}`);
    expect(replies.sort()).toEqual([...Array(3).fill("daily declined"), "one accepted"]);
  });

  it("when others change what it has written, beside its own write", async () => {
    const { person, path, calendar, calendarId, settled, write } = await notified();
    await write(ours("one"));
    calendar.changeEvent(calendar.events()[0]?.id ?? "", { location: "Room 1" });
    await person.post(path, ours("one", { summary: "Renamed" }));
    await person.push();
    await person.sync();
    expect(await settled()).toEqual(["change"]);
    expect(await person.events(calendarId)).toMatchObject([
      { summary: "Renamed", location: { description: "Room 1" } },
    ]);
  });

  it("when a sync token expires and events came, changed and went in the meantime", async () => {
    const { person, calendar, settled, summaries } = await notified();
    const stays = calendar.putEvent({ summary: "Stays", ...timed(2) });
    const goes = calendar.putEvent({ summary: "Goes", start: at(3), end: at(3, "11:00") });
    await person.sync();
    await settled();
    receiver.got.splice(0);
    calendar.expireSyncTokens();
    await person.sync();
    expect(await settled()).toEqual([]);
    calendar.expireSyncTokens();
    calendar.deleteEvent(goes);
    calendar.forgetDeleted();
    calendar.changeEvent(stays, { summary: "Stayed" });
    await person.sync();
    expect(await settled()).toEqual(["change"]);
    expect(await summaries()).toEqual(["Stayed"]);
  });
});
