import type { Event } from "@microsoft/microsoft-graph-types";
import { describe, expect, it } from "vitest";
import { otherClient } from "../fakes/other-client";
import { ADA, syncedGoogle } from "./google-scene";
import { syncedMicrosoft } from "./microsoft-scene";
import { scene } from "./scene";
import { connectPerson, day } from "./world";

/** What a write of the whole event leaves empty is empty afterwards, whether or not a sync has read what others filled in. */
const made = scene();

interface Side {
  person: Awaited<ReturnType<typeof connectPerson>>;
  calendarId: string;
  /** Others describe the event, say where it is, and show it as free. */
  fill(): Promise<void>;
  /** What the provider has of it. */
  shown(): Promise<{ description: string; location: string; isFree: boolean }>;
}

async function google(): Promise<Side> {
  const { person, calendar, calendarId } = await syncedGoogle();
  const event = () => calendar.events()[0] ?? {};
  return {
    person: person as unknown as Side["person"],
    calendarId,
    fill: async () =>
      calendar.changeEvent(event().id ?? "", {
        description: "Theirs",
        location: "Room 1",
        transparency: "transparent",
      }),
    shown: async () => {
      const { description = "", location = "", transparency } = event();
      return { description: description ?? "", location: location ?? "", isFree: transparency === "transparent" };
    },
  };
}

async function microsoft(): Promise<Side> {
  const { person, calendar, calendarId } = await syncedMicrosoft();
  const event = (): Event => calendar.events()[0] ?? {};
  const body = { contentType: "text" as const, content: "Theirs" };
  return {
    person: person as unknown as Side["person"],
    calendarId,
    fill: async () =>
      calendar.changeEvent(event().id ?? "", { body, location: { displayName: "Room 1" }, showAs: "free" }),
    shown: async () => {
      const { body, location, showAs } = event();
      const description = (body?.content ?? "").replace(/<[^>]*>/g, "").trim();
      return { description, location: location?.displayName ?? "", isFree: showAs === "free" };
    },
  };
}

async function caldav(): Promise<Side> {
  const name = `Emptied ${Math.random()}`;
  const client = otherClient(await made.radicale.makeCalendar(name), made.radicale);
  const person = await connectPerson(made.radicale, made.radicale);
  await person.sync();
  const lines = "DESCRIPTION:Theirs\r\nLOCATION:Room 1\r\nTRANSP:TRANSPARENT";
  return {
    person,
    calendarId: await person.calendarId(name),
    fill: async () =>
      void (await client.change("SUMMARY", (ics) =>
        ics.replace(/TRANSP:[^\r]*\r\n/, "").replace("END:VEVENT", `${lines}\r\nEND:VEVENT`),
      )),
    shown: async () => {
      const ics = (await client.find("SUMMARY"))?.ics ?? "";
      const textOf = (property: string) => new RegExp(`^${property}:(.*)$`, "m").exec(ics)?.[1]?.trim() ?? "";
      return {
        description: textOf("DESCRIPTION"),
        location: textOf("LOCATION"),
        isFree: textOf("TRANSP") === "TRANSPARENT",
      };
    },
  };
}

const sides = { Google: google, Microsoft: microsoft, CalDAV: caldav };
const cases = Object.entries(sides).flatMap(([name, side]) =>
  [true, false].map((isRead) => [name, isRead ? "has" : "has not", { side, isRead }] as const),
);

describe.each(cases)("at %s, if a sync %s read it,", (_, __, { side, isRead }) => {
  async function filled() {
    const at = await side();
    const path = `/v1/calendars/${at.calendarId}/events`;
    const times = { start: `${day(2)}T14:00:00Z`, end: `${day(2)}T15:00:00Z` };
    const write = async (more: object) => {
      const { status, text } = await at.person.post(path, { event_id: "one", summary: "Ours", ...times, ...more });
      if (status !== 202) throw new Error(text);
      await at.person.push();
    };
    await write({});
    await at.person.sync();
    await at.fill();
    if (isRead) await at.person.sync();
    return { ...at, path, write };
  }

  it("what the application omits is empty, although others have filled it in", async () => {
    const { write, shown, person, calendarId } = await filled();
    await write({ summary: "Renamed" });
    expect(await shown()).toEqual({ description: "", location: "", isFree: false });
    await person.sync();
    const [event] = await person.events(calendarId);
    expect(event).toMatchObject({ summary: "Renamed", description: "", transparency: "opaque" });
    expect(event.location).toBeUndefined();
  });

  it("what it sends empty is empty, too, and what it sends is what it sends", async () => {
    const { write, shown } = await filled();
    await write({
      summary: "Renamed",
      description: "",
      location: { description: "Room 2" },
      transparency: "transparent",
    });
    expect(await shown()).toEqual({ description: "", location: "Room 2", isFree: true });
  });
});

it("a write of one occurrence leaves what others filled in in the series", async () => {
  const { person, calendar, path } = await syncedGoogle();
  const series = {
    ...{
      event_id: "series",
      summary: "Ours",
      tzid: "Etc/UTC",
      recurrence: { rules: [{ frequency: "daily", count: 3 }] },
    },
    ...{ start: `${day(2)}T14:00:00Z`, end: `${day(2)}T15:00:00Z` },
  };
  await person.post(path, series);
  await person.push();
  await person.sync();
  calendar.changeEvent(calendar.events()[0]?.id ?? "", { description: "Theirs" });
  await person.post(`${path}/occurrences`, { event_id: "series", occurrence_date: day(3), summary: "Another day" });
  await person.push();
  await person.sync();
  const events = await person.events(await person.calendarId(ADA));
  expect(events.map(({ summary, description }) => [summary, description])).toEqual([
    ["Ours", "Theirs"],
    ["Another day", "Theirs"],
    ["Ours", "Theirs"],
  ]);
});
