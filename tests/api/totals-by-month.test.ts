import { expect, it } from "vitest";
import { eventsRead } from "@/server/services/reads/events/list";
import { storeProviderEvents } from "../fakes/stored-events";
import { pageReader } from "./page-reader";
import { openCalendar } from "./service";

/** Windows that begin and end at, before and after the first day of a month, within one month and over many: each total is what lies in them. */
const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
const now = Date.UTC(2026, 0, 20);
const edges = ["2026-01-30", "2026-01-31", "2026-02-01", "2026-02-02", "2026-02-27", "2026-03-01", "2026-03-02"];
const ends = [...edges, "2026-03-31", "2026-04-01", "2026-06-15", "2026-07-01"];
const FIRST = Date.UTC(2026, 0, 25, 12);
const DAYS = 170;

/** Of many calendars the days that fill a page are those of the total, of which there are eight at least. */
it.each([
  ["Etc/UTC", 1],
  ["Europe/Berlin", 1],
  ["Etc/UTC", 50],
  ["Europe/Berlin", 50],
])("totals are exact wherever a window cuts months, in %s, of %i calendars", async (tzid, calendarCount) => {
  const account = await openCalendar();
  const days = Array.from({ length: DAYS }, (_, i) => FIRST + i * DAY_MS);
  // So many each day that no two windows have as many by chance.
  await storeProviderEvents(
    days.flatMap((day, i) =>
      Array.from({ length: 1 + (i % 3) }, (_, n) => {
        const start = new Date(day + n * 60_000).toISOString();
        return { calendarId: account.calendarId, start, end: start };
      }),
    ),
  );
  let later = now;
  for (const from of edges) {
    for (const to of ends.filter((end) => end > from)) {
      // What an earlier page said of its days is forgotten by then.
      later += HOUR_MS;
      const reader = pageReader({ ...eventsRead, pageSize: 1 }, account.accountId, { now: later, calendarCount });
      const { pages } = await reader.page({ tzid, from, to });
      expect(reader.sent.some(({ text }) => text.includes("counted AS"))).toBe(calendarCount > 1);
      const within = days
        .map((day, i) => ({ date: new Date(day).toISOString().slice(0, 10), count: 1 + (i % 3) }))
        .filter(({ date }) => date >= from && date < to);
      const expected = within.reduce((sum, { count }) => sum + count, 0);
      expect({ from, to, total: pages.total }).toEqual({ from, to, total: expected });
    }
  }
});
