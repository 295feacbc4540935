import { describe, expect, it } from "vitest";
import { linkMaker } from "../fakes/link-maker";
import { setMeetingLinks } from "../fakes/stored";
import { dayFromNow } from "./dates";
import { type Opened, openCalendar } from "./service";

/** A calendar that makes links; how a hosted one would look if it did. */
async function withLinks(): Promise<Opened> {
  const opened = await openCalendar();
  await setMeetingLinks(opened.calendarId, true);
  return opened;
}

const meeting = (day: number, more: object = {}) => ({
  event_id: "meeting",
  summary: "Planning",
  start: `${dayFromNow(day)}T09:00:00Z`,
  end: `${dayFromNow(day)}T10:00:00Z`,
  ...more,
});
const ask = (profile_id: string) => ({ conferencing: { profile_id } });
const link = { provider_name: "google_meet", join_url: "https://meet.acme.io/meeting" };

async function conferencingOf(opened: Opened): Promise<unknown> {
  const { json } = await opened.get("/v1/events", { tzid: "Etc/UTC", only_managed: "true" });
  return json.events[0].conferencing;
}

describe("conferencing on a calendar that makes links of its own", () => {
  it.each(["default", "integrated"])("%s is pending until the calendar has made the link", async (profile) => {
    const opened = await withLinks();
    const maker = linkMaker(opened.calendarId, { patience: 3 });
    expect(await conferencingOf(await written(opened, meeting(1, ask(profile))))).toEqual({ pending: true });
    await maker.work();
    await maker.work();
    expect(await conferencingOf(opened)).toEqual({ pending: true });
    await maker.work();
    expect(await conferencingOf(opened)).toEqual(link);
  });

  it("is none when the calendar fails to make one", async () => {
    const opened = await written(await withLinks(), meeting(1, ask("default")));
    await linkMaker(opened.calendarId, { patience: 1, fails: true }).work();
    expect(await conferencingOf(opened)).toBeUndefined();
  });

  it("keeps the same link when the event moves, also when it is asked for again", async () => {
    const opened = await written(await withLinks(), meeting(1, ask("default")));
    await linkMaker(opened.calendarId, { patience: 1 }).work();
    await opened.write(meeting(2));
    expect(await conferencingOf(opened)).toEqual(link);
    await opened.write(meeting(3, ask("integrated")));
    expect(await conferencingOf(opened)).toEqual(link);
  });

  it("none takes the link off, and one that is still being made is not waited for", async () => {
    const opened = await written(await withLinks(), meeting(1, ask("default")));
    await opened.write(meeting(1, ask("none")));
    expect(await conferencingOf(opened)).toBeUndefined();
    await linkMaker(opened.calendarId, { patience: 1 }).work();
    expect(await conferencingOf(opened)).toBeUndefined();
    await opened.write(meeting(1, ask("default")));
    await linkMaker(opened.calendarId, { patience: 1 }).work();
    await opened.write(meeting(1, ask("none")));
    expect(await conferencingOf(opened)).toBeUndefined();
  });
});

async function written(opened: Opened, event: Record<string, unknown>): Promise<Opened> {
  await opened.write(event);
  return opened;
}
