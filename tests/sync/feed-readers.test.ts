import { describe, expect, it } from "vitest";
import { dayFromNow } from "../api/dates";
import { allEvents, openFeed, readFeed } from "../api/feeds";
import { writeSeries } from "../api/series-of-feeds";
import { openCalendar } from "../api/service";
import { readByIcalendar, readByIcalJs, readByVobject, type SeenEvent } from "../fakes/feed-readers/feed-readers";

/** Zones of every kind, and the hours round the changes of their clocks in the half year that reads serve. */
const zones = [
  ...["Europe/Berlin", "America/New_York", "America/Santiago", "Australia/Lord_Howe", "Pacific/Kiritimati"],
  ...["Africa/Casablanca", "Asia/Kathmandu", "America/Havana", "Asia/Tokyo", "Etc/UTC", "Atlantic/Azores"],
];
const texts = ['Lunch, then; a\\b "tea"', "Grüße 🎉 ".repeat(30), "日本語の予定".repeat(20), "plain", "a, b"];

describe("feeds as three programs read them", () => {
  it("have the same occurrences as GET /v1/events", async () => {
    const opened = await openCalendar();
    for (const [i, tzid] of zones.entries()) {
      for (const day of [-30, 2, 60, 115, 118, 127, 140, 180]) {
        const date = dayFromNow(day);
        await opened.write({
          ...{ event_id: `${tzid} ${day}`, summary: texts[(i + day + 40) % texts.length], tzid },
          ...{ description: texts[(i + 1) % texts.length], location: { description: texts[(i + 2) % texts.length] } },
          ...{ start: `${date}T0${(i % 5) + 1}:30:00Z`, end: `${date}T0${(i % 5) + 2}:15:00Z` },
        });
      }
    }
    await opened.write({ event_id: "day", summary: "A day", start: dayFromNow(5), end: dayFromNow(6) });
    await opened.write({ event_id: "days", summary: "Days", start: dayFromNow(5), end: dayFromNow(9) });
    const now = `${dayFromNow(7)}T10:00:00Z`;
    await opened.write({ event_id: "none", summary: "No length", start: now, end: now, tzid: "Europe/Berlin" });
    await writeSeries(opened);
    const expected = sorted(
      (await allEvents(opened)).map(({ start, end, summary }): SeenEvent => ({ uid: "", start, end, summary })),
    );
    expect(expected.length).toBeGreaterThan(230);
    for (const detail of ["titles", "full"] as const) {
      const { text } = await readFeed(await openFeed(opened, { detail }));
      const seen = [readByIcalJs(text), readByIcalendar(text), readByVobject(text)];
      for (const one of seen) {
        expect(new Set(one.map(({ uid }) => uid)).size).toBe(expected.length);
        expect(sorted(one)).toEqual(expected);
      }
      expect(seen[1]?.map(({ uid }) => uid)).toEqual(seen[0]?.map(({ uid }) => uid));
      expect(seen[2]?.map(({ uid }) => uid)).toEqual(seen[0]?.map(({ uid }) => uid));
    }
  }, 120_000);
});

function sorted(events: readonly SeenEvent[]): string[] {
  return events.map(({ start, end, summary }) => [start, end, summary].join(" ")).sort();
}
