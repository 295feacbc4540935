import { openCalendar } from "../../api/service";
import type { Side } from "./side";

/** A calendar that Almanac hosts. Nobody but the application writes to it. */
export const hostedSide = () => sideOf("everywhere");

async function sideOf(name?: string): Promise<Side> {
  const calendar = await openCalendar(undefined, name);
  const { calendarId } = calendar;
  const path = `/v1/calendars/${calendarId}/events`;
  const done = async (sent: Promise<{ status: number; text: string }>) => {
    const { status, text } = await sent;
    if (status !== 202) throw new Error(`${status} ${text}`);
  };
  const nobody = async () => {};
  const utc = (local: string) => new Date(`${local}+02:00`).toISOString();
  return {
    ...calendar,
    settled: nobody,
    calendars: (names) => Promise.all(names.map(() => sideOf())),
    others: {
      rename: (event, { summary, location }) =>
        done(calendar.post(path, { ...event, summary, location: { description: location } })),
      describe: (event, description) => done(calendar.post(path, { ...event, description })),
      move: (event, { start, end }) => done(calendar.post(path, { ...event, start: utc(start), end: utc(end) })),
      repeat: (event, rule) =>
        done(calendar.post(path, { ...event, recurrence: { rules: [{ frequency: "daily", ...rule }] } })),
      delete: ({ event_id }) => done(calendar.remove(path, { event_id })),
      moveOccurrence: ({ event_id }, from, to) =>
        done(
          calendar.post(`${path}/occurrences`, {
            ...{ event_id, occurrence_date: from.slice(0, 10) },
            ...{ start: utc(to.start), end: utc(to.end) },
          }),
        ),
      cancelOccurrence: ({ event_id }, from) =>
        done(calendar.remove(path, { event_id, occurrence_date: from.slice(0, 10) })),
      renameOccurrence: ({ event_id }, from, summary) =>
        done(calendar.post(`${path}/occurrences`, { event_id, occurrence_date: from.slice(0, 10), summary })),
      ...{ mark: nobody, accept: nobody, makePrivate: nobody, create: nobody },
    },
  };
}
