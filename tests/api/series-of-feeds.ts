import { expect } from "vitest";
import { dayFromNow } from "./dates";
import type { Opened } from "./service";

/** A daily series of 150 days in New York, over a change of its clocks, with one day skipped, one moved and one renamed. */
export async function writeSeries({ write, post, remove, calendarId }: Opened): Promise<void> {
  const at = (time: string) => ({ time: `${dayFromNow(1)}T${time}`, tzid: "America/New_York" });
  await write({
    ...{ event_id: "series", summary: "Daily", start: at("15:00:00"), end: at("15:30:00") },
    recurrence: { rules: [{ frequency: "daily", count: 150 }] },
  });
  const path = `/v1/calendars/${calendarId}/events`;
  const day = (days: number) => ({ event_id: "series", occurrence_date: dayFromNow(days) });
  const moved = { start: `${dayFromNow(8)}T03:00:00Z`, end: `${dayFromNow(8)}T04:00:00Z` };
  for (const answer of [
    await remove(path, day(4)),
    await post(`${path}/occurrences`, { ...day(6), ...moved }),
    await post(`${path}/occurrences`, { ...day(9), summary: "Not as always" }),
  ]) {
    expect(answer.status, answer.text).toBe(202);
  }
}
