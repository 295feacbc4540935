import type { DayOfWeek, Event } from "@microsoft/microsoft-graph-types";
import { meeting } from "../meetings";

/** The i-th meeting of `meeting`, as Graph writes it. */
export function graphMeeting(i: number): Event {
  const { summary: subject, location, description, day, from, to, isSeries } = meeting(i);
  const at = (dateTime: string) => ({ dateTime, timeZone: "W. Europe Standard Time" });
  const person = (name: string) => ({ emailAddress: { name, address: `${name.toLowerCase()}@example.org` } });
  return {
    ...{ subject, start: at(from), end: at(to), location: { displayName: location } },
    body: { contentType: "text", content: description },
    ...(isSeries && {
      recurrence: {
        pattern: { type: "weekly", interval: 1, daysOfWeek: [weekdayOf(day)] },
        range: { type: "numbered", startDate: day, numberOfOccurrences: 10 },
      },
    }),
    organizer: person("Ann"),
    attendees: [
      { ...person("Ann"), type: "required", status: { response: "organizer" } },
      { ...person("Bo"), type: "required", status: { response: "none" } },
    ],
  };
}

function weekdayOf(day: string): DayOfWeek {
  return new Date(`${day}T12:00:00Z`).toLocaleDateString("en", { weekday: "long" }).toLowerCase() as DayOfWeek;
}
