import type { EventResource } from "./state";

const DAY_MS = 86_400_000;
const SPREAD_DAYS = 240;
const rules = ["FREQ=WEEKLY;COUNT=20", "FREQ=DAILY;COUNT=10", "FREQ=MONTHLY", "FREQ=WEEKLY;INTERVAL=2"];

/** The n-th event of a calendar as people have it: a meeting with guests in the time that is read, each fifth one a series, each tenth one all-day. */
export function mixedEvent(n: number, now = Date.now()): EventResource {
  const date = (days: number) => new Date(now + ((n % SPREAD_DAYS) - 40 + days) * DAY_MS).toISOString().slice(0, 10);
  const time = (hour: number, minute: string) => ({
    dateTime: `${date(0)}T${String(hour).padStart(2, "0")}:${minute}:00`,
    timeZone: "Europe/Berlin",
  });
  const hour = 8 + (n % 10);
  const isAllDay = n % 10 === 3;
  return {
    id: `mixed${n.toString(32).padStart(6, "0")}`,
    summary: `Planning round ${n}`,
    description: "What was said last time, and what comes of it. ".repeat(3),
    location: `Room ${n % 40}`,
    ...(isAllDay
      ? { start: { date: date(0) }, end: { date: date(1) } }
      : { start: time(hour, "00"), end: time(hour, "45") }),
    ...(n % 5 === 0 && { recurrence: [`RRULE:${rules[(n / 5) % rules.length]}`] }),
    attendees: [
      { email: "ann@example.org", displayName: "Ann", responseStatus: "accepted" },
      { email: "bo@example.org", displayName: "Bo", responseStatus: "needsAction" },
    ],
  };
}
