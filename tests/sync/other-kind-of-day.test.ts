import { describe, expect, it } from "vitest";
import { otherClient } from "../fakes/other-client";
import { syncedGoogle } from "./google-scene";
import { syncedMicrosoft } from "./microsoft-scene";
import { scene } from "./scene";
import { connectPerson, day, ical, ours } from "./world";

/** Others give one day of a series whole days where it has times, or a time where it has whole days. */
const made = scene();

type Kind = "days" | "times";

/** A calendar in which others change an occurrence. */
interface Side {
  person: Awaited<ReturnType<typeof connectPerson>>;
  calendarId: string;
  /** Others create a daily series of four days from tomorrow on, with times from ten to eleven in UTC. */
  put(kind: Kind): Promise<void>;
  /** They give its third day the other kind: the whole of that day, or from noon to one. */
  change(kind: Kind, part?: string): Promise<void>;
  /** What the provider has of that day. */
  shown(): Promise<unknown>;
}

const hour = (offset: number, from: number) => ({
  start: { dateTime: `${day(offset)}T${from}:00:00`, timeZone: "UTC" },
  end: { dateTime: `${day(offset)}T${from + 1}:00:00`, timeZone: "UTC" },
});

async function google(): Promise<Side> {
  const { person, calendar, calendarId } = await syncedGoogle();
  const dates = (offset: number) => ({ start: { date: day(offset) }, end: { date: day(offset + 1) } });
  const times = (kind: Kind, offset: number, from: number) => (kind === "days" ? dates(offset) : hour(offset, from));
  const series = () => calendar.events().find(({ recurrence }) => recurrence)?.id ?? "";
  const third = (kind: Kind) => calendar.moveOccurrence(series(), times(kind, 3, 10).start, times(other(kind), 3, 12));
  return {
    person: person as unknown as Side["person"],
    calendarId,
    put: async (kind) =>
      void calendar.putEvent({ summary: "Theirs", ...times(kind, 1, 10), recurrence: ["RRULE:FREQ=DAILY;COUNT=4"] }),
    change: async (kind) => void third(kind),
    shown: async () => {
      const found = calendar.events().find(({ recurringEventId }) => recurringEventId);
      return { start: found?.start?.date ?? found?.start?.dateTime?.slice(0, 16) };
    },
  };
}

async function microsoft(): Promise<Side> {
  const { person, calendar, calendarId } = await syncedMicrosoft();
  const midnight = (offset: number) => ({ dateTime: `${day(offset)}T00:00:00`, timeZone: "UTC" });
  const dates = (offset: number) => ({ isAllDay: true, start: midnight(offset), end: midnight(offset + 1) });
  const times = (kind: Kind, offset: number, from: number) =>
    kind === "days" ? dates(offset) : { isAllDay: false, ...hour(offset, from) };
  const range = { type: "numbered" as const, startDate: day(1), numberOfOccurrences: 4, recurrenceTimeZone: "UTC" };
  const recurrence = { pattern: { type: "daily" as const, interval: 1 }, range };
  const third = () => calendar.occurrenceId(calendar.events()[0]?.id ?? "", day(3));
  return {
    person: person as unknown as Side["person"],
    calendarId,
    put: async (kind) => void calendar.putEvent({ subject: "Theirs", ...times(kind, 1, 10), recurrence }),
    change: async (kind) => calendar.changeEvent(third(), times(other(kind), 3, 12)),
    shown: async () => {
      const { isAllDay, start } = calendar.event(third()) ?? {};
      return { start: start?.dateTime?.slice(0, isAllDay ? 10 : 16) };
    },
  };
}

async function caldav(): Promise<Side> {
  const name = `Kinds ${Math.random()}`;
  const client = otherClient(await made.radicale.makeCalendar(name), made.radicale);
  const person = await connectPerson(made.radicale, made.radicale);
  await person.sync();
  const at = (property: string, kind: Kind, offset: number, from: number) =>
    kind === "days" ? `${property};VALUE=DATE:${ical(offset)}` : `${property}:${ical(offset, `${from}0000Z`)}`;
  const times = (kind: Kind, offset: number, from: number) => [
    at("DTSTART", kind, offset, from),
    kind === "days" ? at("DTEND", kind, offset + 1, 0) : at("DTEND", kind, offset, from + 1),
  ];
  const event = (uid: string, lines: string[]) =>
    ["BEGIN:VEVENT", `UID:${uid}`, "DTSTAMP:20260101T000000Z", ...lines, "END:VEVENT"].join("\r\n");
  return {
    person,
    calendarId: await person.calendarId(name),
    put: async (kind) =>
      void (await client.create(
        "theirs",
        event("theirs", ["SUMMARY:Theirs", ...times(kind, 1, 10), "RRULE:FREQ=DAILY;COUNT=4"]),
      )),
    change: async (kind) =>
      void (await client.change("RRULE", (ics) => {
        const uid = /UID:(.*)/.exec(ics)?.[1]?.trim() ?? "";
        const summary = /SUMMARY:(.*)/.exec(ics)?.[1]?.trim() ?? "";
        const lines = [`SUMMARY:${summary}`, at("RECURRENCE-ID", kind, 3, 10), ...times(other(kind), 3, 12)];
        return ics.replace("END:VCALENDAR", `${event(uid, lines)}\r\nEND:VCALENDAR`);
      })),
    shown: async () => {
      const events = (await client.find("RECURRENCE-ID"))?.ics.split("BEGIN:VEVENT") ?? [];
      const own = events.find((text) => text.includes("RECURRENCE-ID")) ?? "";
      const [, date = "", time = ""] = /DTSTART[^:]*:(\d{8})(?:T(\d{4}))?/.exec(own) ?? [];
      const dated = date.replace(/(\d{4})(\d\d)(\d\d)/, "$1-$2-$3");
      return { start: time ? `${dated}T${time.slice(0, 2)}:${time.slice(2)}` : dated };
    },
  };
}

const other = (kind: Kind): Kind => (kind === "days" ? "times" : "days");

const sides = { Google: google, Microsoft: microsoft, CalDAV: caldav };
const kinds = ["days", "times"] as const;
const cases = Object.entries(sides).flatMap(([name, side]) => kinds.map((kind) => [name, kind, side] as const));

const starts = (kind: Kind) =>
  [1, 2, 3, 4].map((offset) => {
    const isDay = (offset === 3 ? other(kind) : kind) === "days";
    return isDay ? day(offset) : `${day(offset)}T${offset === 3 ? 12 : 10}:00:00Z`;
  });
const ends = (kind: Kind) =>
  [1, 2, 3, 4].map((offset) => {
    const isDay = (offset === 3 ? other(kind) : kind) === "days";
    return isDay ? day(offset + 1) : `${day(offset)}T${offset === 3 ? 13 : 11}:00:00Z`;
  });

/** Starts and ends as both reads give them. */
async function read({ person, calendarId }: Side) {
  const events = await person.events(calendarId);
  const query = { from: day(-1), to: day(30), tzid: "Etc/UTC", "calendar_ids[]": calendarId, include_managed: "true" };
  const { json } = await person.get("/v1/free_busy", query);
  const times = (all: { start: string; end: string }[]) => ({
    starts: all.map(({ start }) => start),
    ends: all.map(({ end }) => end),
  });
  return { events: times(events), freeBusy: times(json.free_busy) };
}

const both = (kind: Kind) => {
  const times = { starts: starts(kind), ends: ends(kind) };
  return { events: times, freeBusy: times };
};

describe.each(cases)("a day of another kind in a series of others at %s, of %s,", (_, kind, side) => {
  it("is read as what it is", async () => {
    const at = await side();
    await at.put(kind);
    await at.change(kind);
    await at.person.sync();
    expect(await read(at)).toEqual(both(kind));
  });

  it("stays so in a series of the application's, whatever that writes", async () => {
    const at = await side();
    const path = `/v1/calendars/${at.calendarId}/events`;
    const times =
      kind === "days"
        ? { start: day(1), end: day(2) }
        : { start: `${day(1)}T10:00:00Z`, end: `${day(1)}T11:00:00Z`, tzid: "Etc/UTC" };
    const recurrence = { rules: [{ frequency: "daily", count: 4 }] };
    const write = async (more: object = {}) => {
      const { status, text } = await at.person.post(path, ours("series", { ...times, recurrence, ...more }));
      if (status !== 202) throw new Error(text);
      await at.person.push();
      await at.person.sync();
    };
    await write();
    await at.change(kind);
    await at.person.sync();
    expect(await read(at)).toEqual(both(kind));
    await write({ summary: "Renamed" });
    expect(await read(at)).toEqual(both(kind));
    const events = await at.person.events(at.calendarId);
    expect(events.map(({ event_id }) => event_id)).toEqual(Array(4).fill("series"));
    expect(await at.shown()).toEqual({ start: starts(kind)[2]?.slice(0, 16).replace("Z", "") });
  });
});
