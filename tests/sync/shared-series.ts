import { otherClient } from "../fakes/other-client";
import type { Scene } from "./scene";
import { connectPerson, day, ical, ours, watch } from "./world";

const inBerlin = { tzid: "Europe/Berlin", localized_times: "true" };
export const at = (offset: number, time: string) => ({ time: `${day(offset)}T${time}:00`, tzid: "Europe/Berlin" });
export const berlin = (name: string, offset: number, time: string) =>
  `${name};TZID=Europe/Berlin:${ical(offset, time)}`;
export const exdate = (offset: number) => (ics: string) =>
  ics.replace("END:VEVENT", `${berlin("EXDATE", offset, "090000")}\r\nEND:VEVENT`);
export const override = (offset: number, lines: string[]) => (ics: string) => {
  const uid = /UID:(.*)/.exec(ics)?.[1]?.trim();
  const head = [`UID:${uid}`, "DTSTAMP:20260101T000000Z", berlin("RECURRENCE-ID", offset, "090000")];
  const event = ["BEGIN:VEVENT", ...head, ...lines, "END:VEVENT"].join("\r\n");
  return ics.replace("END:VCALENDAR", `${event}\r\nEND:VCALENDAR`);
};

/** A series of the application's, daily at nine for six days, that its provider has; nothing is waiting. */
export async function sharedSeries(made: Scene, calendar: string, more: object = {}) {
  const other = otherClient(await made.radicale.makeCalendar(calendar), made.radicale);
  const person = await connectPerson(made.radicale, made.radicale);
  await person.sync();
  const calendarId = await person.calendarId(calendar);
  const path = `/v1/calendars/${calendarId}/events`;
  const recurrence = { rules: [{ frequency: "daily", interval: 1, count: 6 }] };
  const series = { start: at(1, "09:00"), end: at(1, "10:00"), recurrence, ...more };
  const write = async (changes: object = {}) => {
    const { recurrence: _, ...known } = series;
    const answer = await person.post(path, ours("series", { ...known, ...changes }));
    if (answer.status !== 202) throw new Error(answer.text);
  };
  const skip = (offset: number) => person.remove(path, { event_id: "series", occurrence_date: day(offset) });
  const move = (offset: number, to: string) =>
    person.post(`${path}/occurrences`, {
      event_id: "series",
      occurrence_date: day(offset),
      start: `${day(offset)}T${to}:00Z`,
      end: `${day(offset)}T${to.slice(0, 2)}:30:00Z`,
    });
  await write({ recurrence });
  await person.push();
  await person.sync();
  const channel = await watch(person, made.receiver);
  const starts = async () => (await person.events(calendarId, inBerlin)).map(({ start }) => start.slice(0, 16));
  const events = (query = {}) => person.events(calendarId, { ...inBerlin, ...query });
  /** The other person rewrites the series. */
  const others = (change: (ics: string) => string, part = "UID:") =>
    other.change(part, (ics) => {
      const changed = change(ics);
      if (changed === ics) throw new Error("others changed nothing");
      return changed;
    });
  const ics = async () => (await other.list())[0]?.ics;
  return { ...{ other, others, ics, person, calendarId, write, skip, move, starts, events }, ...channel };
}
