import { beforeEach, describe, expect, it } from "vitest";
import { MAX_DESCRIPTION } from "@/server/domain/text-limits";
import { dayFromNow } from "../api/dates";
import { ownDatabase } from "../api/own-database";
import { providerCalendar } from "../api/provider-calendar";
import { openCalendar } from "../api/service";
import { openChannel } from "../api/webhooks/world";
import { type Calendar, change, eventsOf, eventsPath, repeating, skip, write } from "../api/written-series";
import { statementsOf } from "./sent-statements";

// Vite puts its own BASE_URL into the environment of every test.
ownDatabase(() => ({ BASE_URL: "http://api.almanac.localhost" }));

const BEARER = "bearer of a token";
const READ = "event to write";
const ROWS = expect.stringMatching(/^SELECT .* FROM occurrences WHERE calendar_id = \$1 AND master_id = \$2$/s);

const single = {
  event_id: "one",
  summary: "Planning",
  start: `${dayFromNow(3)}T09:00:00Z`,
  end: `${dayFromNow(3)}T10:00:00Z`,
  tzid: "Etc/UTC",
};
const series = { ...single, event_id: "series", ...repeating({ frequency: "daily" }) };

describe.each([
  { kept: "by us", open: openCalendar, queue: "" },
  { kept: "at a provider", open: () => providerCalendar("icloud"), queue: " and queue it" },
])("a write to a calendar that is kept $kept takes", ({ open, queue }) => {
  let calendar: Calendar;
  beforeEach(async () => {
    calendar = await open();
    await write(calendar, single);
    await write(calendar, series);
  });
  const remove = (event_id: string) => calendar.remove(eventsPath(calendar.calendarId), { event_id });

  it.each<[string, () => Promise<unknown>, unknown[]]>([
    [
      "two round trips for a new event",
      () => write(calendar, { ...single, event_id: "new" }),
      [`insert an event${queue}`],
    ],
    ["two for a changed one", () => write(calendar, { ...single, summary: "Other" }), [`change an event${queue}`]],
    ["one for an unchanged one", () => write(calendar, single), []],
    ["two for a deleted one", () => remove("one"), [`delete an event${queue}`]],
    ["one for one that is deleted already", () => remove("never there"), []],
    ["two for a new series", () => write(calendar, { ...series, event_id: "new" }), [`insert an event${queue}`]],
    [
      "two for the words of a series",
      () => write(calendar, { ...series, summary: "Other" }),
      [`change the words of a series${queue}`],
    ],
    [
      "three for the times of a series",
      () => write(calendar, { ...series, end: `${dayFromNow(3)}T11:00:00Z` }),
      [ROWS, `change an event${queue}`],
    ],
    [
      "three for a single event that becomes a series",
      () => write(calendar, { ...series, event_id: "one" }),
      [ROWS, `change an event${queue}`],
    ],
    [
      "three for a day that is changed",
      () => change(calendar, dayFromNow(4), { summary: "Other" }),
      [ROWS, `change an event${queue}`],
    ],
    ["three for a day that is skipped", () => skip(calendar, dayFromNow(4)), [ROWS, `change an event${queue}`]],
    ["two for a deleted series", () => remove("series"), [`delete an event${queue}`]],
  ])("%s, beside that of the token", async (_, request, statements) => {
    expect(await statementsOf(request)).toEqual([BEARER, READ, ...statements]);
  });
});

it("a series whose occurrences are too much for one statement is written in a transaction", async () => {
  const calendar = await openCalendar();
  await write(calendar, series);
  const description = "x".repeat(MAX_DESCRIPTION);
  const days = Array.from({ length: Math.ceil(500_000 / MAX_DESCRIPTION) + 1 }, (_, i) => dayFromNow(i + 4));
  for (const day of days) await change(calendar, day, { description });
  const sent = await statementsOf(() => write(calendar, { ...series, end: `${dayFromNow(3)}T11:00:00Z` }));
  const rows = expect.stringContaining("INSERT INTO occurrences");
  const locks = [expect.stringContaining("FROM calendars"), expect.stringContaining("FROM events")];
  const tried = [BEARER, READ, ROWS];
  expect(sent).toEqual([...tried, "BEGIN", ...locks, READ, ROWS, "change an event", rows, rows, "COMMIT"]);
  const events = await eventsOf(calendar);
  const ends = new Set(events.map(({ end }) => end.slice(11)));
  expect(ends).toEqual(new Set(["11:00:00Z"]));
  expect(events.filter((event) => event.description === description)).toHaveLength(days.length);
});

it("a test notification takes two round trips, beside that of the token", async () => {
  const calendar = await openCalendar();
  const { channel_id } = await openChannel(calendar, "https://hooks.acme.io/almanac");
  const sent = await statementsOf(() => calendar.post(`/v1/channels/${channel_id}/test`, {}));
  expect(sent).toEqual([BEARER, "tested channel", "insert test delivery"]);
});
