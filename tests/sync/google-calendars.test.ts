import { expect, it } from "vitest";
import { fakeClock } from "../fakes/clock";
import type { AccessRole } from "../fakes/google/state";
import { ADA, BOB, syncedGoogle, timed } from "./google-scene";
import { day, ours } from "./world";

const HOUR_MS = 3_600_000;
const accounts = [{ email: ADA }, { email: BOB }];
const bobsTeam = (accessRole: AccessRole) => ({ id: "team@group", summary: "Team", owner: BOB, accessRole });

type Scene = Awaited<ReturnType<typeof syncedGoogle>>;

/** The calendar of this name, as the API shows it. */
async function shown({ person }: Scene, name: string) {
  const { json } = await person.get("/v1/calendars");
  return json.calendars.find((one: { calendar_name: string }) => one.calendar_name === name);
}

it("a calendar that is renamed, or may only be read from now on, says so after an hour at the latest when it is polled", async () => {
  const clock = fakeClock();
  const scene = await syncedGoogle({ accounts, fill: (ada) => void ada.addSharedCalendar(bobsTeam("writer")) });
  const { ada, person } = scene;
  expect(await shown(scene, "Team")).toMatchObject({ calendar_readonly: false });
  ada.changeAccess("team@group", "reader");
  ada.changeCalendar("team@group", { summary: "All hands" });
  clock.advance(HOUR_MS);
  await person.sync();
  const calendar = await shown(scene, "All hands");
  expect(calendar).toMatchObject({ calendar_readonly: true, calendar_integrated_conferencing_available: false });
  const answer = await person.post(`/v1/calendars/${calendar.calendar_id}/events`, ours("late"));
  expect(answer.status).toBe(403);
});

it("a calendar that the user takes off the list stays listed as deleted, and is the same when they put it back", async () => {
  const scene = await syncedGoogle({
    accounts,
    fill: (ada, provider) => {
      ada.addSharedCalendar(bobsTeam("reader"));
      provider.calendar("team@group").putEvent({ summary: "Stand-up", ...timed(2) });
    },
  });
  const { ada, person } = scene;
  const before = await shown(scene, "Team");
  expect(await person.events(before.calendar_id)).toHaveLength(1);
  ada.unsubscribe("team@group");
  await person.sync();
  expect(await shown(scene, "Team")).toEqual({ ...before, calendar_deleted: true });
  expect(await person.events(before.calendar_id)).toEqual([]);
  ada.subscribe("team@group");
  await person.sync();
  expect(await shown(scene, "Team")).toEqual(before);
  expect(await person.events(before.calendar_id)).toMatchObject([{ summary: "Stand-up" }]);
});

it("a calendar of which the user sees no more than when it is busy gives times without texts, and cannot be written", async () => {
  const scene = await syncedGoogle({
    accounts,
    fill: (ada, provider) => {
      ada.addSharedCalendar(bobsTeam("freeBusyReader"));
      const people = { attendees: [{ email: "carol@example.com" }], location: "Berlin" };
      provider.calendar("team@group").putEvent({ summary: "Secret", ...people, ...timed(2) });
    },
  });
  const { calendar_id: id, calendar_readonly } = await shown(scene, "Team");
  expect(calendar_readonly).toBe(true);
  const [event] = await scene.person.events(id);
  expect(event).toMatchObject({ summary: "", attendees: [], event_private: true });
  expect(event.start).toBe(`${day(2)}T09:00:00Z`);
  expect((await scene.person.post(`/v1/calendars/${id}/events`, ours("no"))).status).toBe(403);
});

it("a hidden calendar is listed like any other", async () => {
  const scene = await syncedGoogle({
    fill: (ada) => ada.changeEntry(ada.addCalendar({ summary: "Hidden" }), { hidden: true }),
  });
  expect(await shown(scene, "Hidden")).toMatchObject({ calendar_deleted: false });
});

it("a write to a calendar that Google has made read-only in the meantime is undone", async () => {
  const scene = await syncedGoogle({ accounts, fill: (ada) => void ada.addSharedCalendar(bobsTeam("writer")) });
  const { ada, person } = scene;
  const { calendar_id: id } = await shown(scene, "Team");
  ada.changeAccess("team@group", "reader");
  await person.post(`/v1/calendars/${id}/events`, ours("late"));
  expect(await person.events(id)).toHaveLength(1);
  await person.push();
  await person.sync();
  expect(await person.events(id)).toEqual([]);
});
