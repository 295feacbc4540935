import { describe, expect, it } from "vitest";
import { opened } from "./read-under-test";
import { expectIssues } from "./responses";
import { change, daily, eventsPath, repeating, sendChange, timesOf, write } from "./written-series";

const ZONE = "Europe/Zurich";
/** Its clocks skip 02:00 to 03:00 on that day. */
const DAY = "2026-03-29";
const at = (time: string, tzid: string | undefined = ZONE) => ({ time: `${DAY}T${time}:00`, tzid });

/** Written, and read in UTC. */
const spans: [string, string, string, string][] = [
  ["02:00", "03:00", "01:00", "02:00"],
  ["02:30", "03:30", "01:30", "02:30"],
  ["02:30", "02:30", "01:30", "01:30"],
  ["02:30", "02:45", "01:30", "01:45"],
  ["02:45", "03:15", "01:45", "02:15"],
  ["02:59", "10:59", "01:59", "09:59"],
  ["01:30", "02:30", "00:30", "01:30"],
  ["01:30", "03:30", "00:30", "01:30"],
  ["03:00", "03:30", "01:00", "01:30"],
];

describe.each(spans)("%s to %s on the day the clocks go forward", (from, to, starts, ends) => {
  const times = { start: at(from), end: at(to) };
  const read = [`${DAY}T${starts}:00Z`, `${DAY}T${ends}:00Z`];

  it(`is ${starts} to ${ends} in UTC of a single event, and of the first of a series`, async () => {
    const [single, series] = [await opened(), await opened()];
    await write(single, { ...daily, ...times, tzid: undefined });
    expect(await timesOf(single)).toEqual([[undefined, ...read]]);
    await write(series, { ...daily, ...times, tzid: ZONE, ...repeating({ frequency: "weekly", count: 2 }) });
    const [first, second] = await timesOf(series);
    expect(first).toEqual([DAY, ...read]);
    const lengthOf = ([, start, end]: (string | undefined)[] = []) => Date.parse(end ?? "") - Date.parse(start ?? "");
    expect(lengthOf(second)).toBe(lengthOf(first));
  });

  it(`is ${starts} to ${ends} in UTC of a changed occurrence, in each way to change one`, async () => {
    const [excepted, changed, local] = [await opened(), await opened(), await opened()];
    const series = { ...daily, tzid: ZONE, start: `${DAY}T10:00:00Z`, end: `${DAY}T11:00:00Z` };
    const once = { frequency: "daily", count: 1 };
    await write(excepted, { ...series, ...repeating(once, { change: [{ date: DAY, ...times }] }) });
    for (const calendar of [changed, local]) await write(calendar, { ...series, ...repeating(once) });
    await change(changed, DAY, times);
    await change(local, DAY, { start: { time: times.start.time }, end: { time: times.end.time } });
    for (const calendar of [excepted, changed, local]) expect(await timesOf(calendar)).toEqual([[DAY, ...read]]);
    await change(local, DAY, { start: { time: times.start.time }, end: { time: times.end.time }, tzid: "Europe/Rome" });
    expect(await timesOf(local)).toEqual([[DAY, ...read]]);
  });
});

it("an end with an offset stays where it is: if it is before the shifted start, the error says why", async () => {
  const calendar = await opened();
  const times = { start: at("02:45"), end: `${DAY}T03:15:00+02:00` };
  const description = `must not be before start: on ${DAY} the clocks skip 02:45:00, and it is read as 03:45:00`;
  const path = eventsPath(calendar.calendarId);
  const refused = await calendar.post(path, { ...daily, ...times });
  expectIssues(refused, { end: "errors.invalid" });
  expect(refused.json.errors.end[0].description).toBe(`end ${description}`);
  const rule = { frequency: "daily", count: 1 };
  const series = { ...daily, tzid: ZONE, start: `${DAY}T10:00:00Z`, end: `${DAY}T11:00:00Z` };
  const excepted = await calendar.post(path, { ...series, ...repeating(rule, { change: [{ date: DAY, ...times }] }) });
  expectIssues(excepted, { "recurrence.exceptions.change[0].end": "errors.invalid" });
  expect(excepted.json.errors["recurrence.exceptions.change[0].end"][0].description).toContain(description);
  await write(calendar, { ...series, ...repeating(rule) });
  const local = { start: { time: `${DAY}T02:45` }, end: times.end };
  const changed = await sendChange(calendar, { occurrence_date: DAY, ...local });
  expectIssues(changed, { end: "errors.invalid" });
  expect(changed.json.errors.end[0].description).toBe(`end ${description}`);
});
