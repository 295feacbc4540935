import { describe, expect, it } from "vitest";
import { changeEvents } from "../fakes/stored-events";
import { dayFromNow } from "./dates";
import { providerCalendar } from "./provider-calendar";
import { expectIssues } from "./responses";
import { openCalendar } from "./service";
import { type Calendar, eventsOf, eventsPath, repeating, write } from "./written-series";

const DAY = dayFromNow(3);
const meeting = {
  event_id: "series",
  summary: "Planning",
  description: "Agenda",
  start: `${DAY}T09:00:00Z`,
  end: `${DAY}T10:00:00Z`,
  tzid: "Etc/UTC",
};
const ask = (profile_id: string) => ({ conferencing: { profile_id } });

async function conferencingOf(calendar: Calendar) {
  return (await eventsOf(calendar)).map(({ conferencing }) => conferencing);
}

/** What a sync would store once the calendar has made the link. */
async function linkStored(calendar: Calendar, provider: string): Promise<void> {
  const link = { provider, join_url: "https://meet.acme.io/1" };
  await changeEvents({ calendarId: calendar.calendarId }, { conferencing: link });
}

const linkless = [
  ["an application calendar", () => openCalendar()],
  ["google without", () => providerCalendar("google")],
  ["microsoft that allows no online meetings", () => providerCalendar("microsoft")],
  ["outlook", () => providerCalendar("outlook")],
  ["icloud", () => providerCalendar("icloud")],
] as const;

describe.each(linkless)("on a calendar without a meeting link of its own: %s", (_, open) => {
  it("default writes without a link and succeeds", async () => {
    const calendar = await open();
    await write(calendar, { ...meeting, ...ask("default") });
    expect(await conferencingOf(calendar)).toEqual([undefined]);
  });

  it("integrated answers 422 errors.conferencing_unavailable, and writes nothing", async () => {
    const calendar = await open();
    const answer = await calendar.post(eventsPath(calendar.calendarId), { ...meeting, ...ask("integrated") });
    expectIssues(answer, { "conferencing.profile_id": "errors.conferencing_unavailable" });
    expect(await eventsOf(calendar)).toEqual([]);
    await write(calendar, meeting);
    const again = await calendar.post(eventsPath(calendar.calendarId), {
      ...meeting,
      summary: "x",
      ...ask("integrated"),
    });
    expectIssues(again, { "conferencing.profile_id": "errors.conferencing_unavailable" });
    expect(await eventsOf(calendar)).toMatchObject([{ summary: "Planning" }]);
  });

  it("none succeeds", async () => {
    const calendar = await open();
    await write(calendar, { ...meeting, ...ask("none") });
    expect(await conferencingOf(calendar)).toEqual([undefined]);
  });
});

describe.each(["google", "microsoft"] as const)("on a calendar with a meeting link of its own: %s", (provider) => {
  const open = () => providerCalendar(provider, { makesLinks: true });

  it.each(["default", "integrated"])("%s is pending at first", async (profile) => {
    const calendar = await open();
    await write(calendar, { ...meeting, ...ask(profile) });
    expect(await conferencingOf(calendar)).toEqual([{ pending: true }]);
    await write(calendar, { ...meeting, summary: "Other" });
    expect(await conferencingOf(calendar)).toEqual([{ pending: true }]);
  });

  it.each([["none"], [undefined]])("%s adds none", async (profile) => {
    const calendar = await open();
    await write(calendar, { ...meeting, ...(profile && ask(profile)) });
    expect(await conferencingOf(calendar)).toEqual([undefined]);
  });

  it("a later write without conferencing keeps the link, none takes it off, default asks for another", async () => {
    const calendar = await open();
    await write(calendar, { ...meeting, ...ask("default") });
    await linkStored(calendar, provider === "google" ? "google_meet" : "microsoft_teams");
    const link = {
      provider_name: provider === "google" ? "google_meet" : "ms_teams",
      join_url: "https://meet.acme.io/1",
    };
    await write(calendar, { ...meeting, start: `${DAY}T08:00:00Z`, recurrence: null });
    expect(await conferencingOf(calendar)).toEqual([link]);
    await write(calendar, { ...meeting, ...ask("default") });
    expect(await conferencingOf(calendar)).toEqual([link]);
    await write(calendar, { ...meeting, ...ask("none") });
    expect(await conferencingOf(calendar)).toEqual([undefined]);
    await write(calendar, { ...meeting, ...ask("default") });
    expect(await conferencingOf(calendar)).toEqual([{ pending: true }]);
  });

  it("a series has one link, which every occurrence shows", async () => {
    const calendar = await open();
    await write(calendar, { ...meeting, ...ask("integrated"), ...repeating({ frequency: "daily", count: 3 }) });
    expect(await conferencingOf(calendar)).toEqual(Array(3).fill({ pending: true }));
    await linkStored(calendar, "other");
    const other = { provider_name: "other", join_url: "https://meet.acme.io/1" };
    expect(await conferencingOf(calendar)).toEqual(Array(3).fill(other));
  });
});

describe("what else an event says, on every occurrence of a series", () => {
  it("url and transparency as sent; private, categories and options as the API has them", async () => {
    const calendar = await openCalendar();
    const fields = { url: "https://acme.io/a?b=c", transparency: "transparent", location: { description: "Room 7" } };
    await write(calendar, { ...meeting, ...fields, ...repeating({ frequency: "daily", count: 2 }) });
    const said = {
      url: "https://acme.io/a?b=c",
      transparency: "transparent",
      extended_transparency: "transparent",
      location: { description: "Room 7" },
      event_private: false,
      status: "confirmed",
      categories: [],
      participation_status: "accepted",
      options: { delete: true, update: true, change_participation_status: false },
    };
    expect(await eventsOf(calendar)).toMatchObject([said, said]);
    const { json } = await calendar.get("/v1/free_busy", { tzid: "Etc/UTC", include_managed: "true" });
    expect(json.free_busy).toMatchObject([{ free_busy_status: "free" }, { free_busy_status: "free" }]);
    await write(calendar, { ...meeting, tzid: undefined });
    const [event] = await eventsOf(calendar);
    expect(event).toMatchObject({ transparency: "opaque" });
    expect(event).not.toHaveProperty("url");
    expect(event).not.toHaveProperty("location");
  });
});
