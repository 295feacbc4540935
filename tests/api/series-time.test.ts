import { describe, expect, it } from "vitest";
import { opened } from "./read-under-test";
import { change, daily, eventsOf, repeating, timesOf, write } from "./written-series";

const berlin = (day: string, time: string, end: string, offset: string) => ({
  start: `${day}T${time}:00${offset}`,
  end: `${day}T${end}:00${offset}`,
  tzid: "Europe/Berlin",
});
const newYork = (day: string, time: string, end: string, offset: string) => ({
  ...berlin(day, time, end, offset),
  tzid: "America/New_York",
});

const changesOfTheClocks: [string, object, string[]][] = [
  [
    "stays at 09:00 when summer ends in Berlin",
    berlin("2025-10-25", "09:00", "09:30", "+02:00"),
    ["2025-10-25T07:00:00Z", "2025-10-26T08:00:00Z", "2025-10-27T08:00:00Z"],
  ],
  [
    "stays at 09:00 when summer begins in Berlin",
    berlin("2026-03-28", "09:00", "09:30", "+01:00"),
    ["2026-03-28T08:00:00Z", "2026-03-29T07:00:00Z", "2026-03-30T07:00:00Z"],
  ],
  [
    "stays at 21:00 when summer begins in New York",
    newYork("2026-03-07", "21:00", "21:30", "-05:00"),
    ["2026-03-08T02:00:00Z", "2026-03-09T01:00:00Z", "2026-03-10T01:00:00Z"],
  ],
  [
    "at 02:30 is shifted forward by the gap in Berlin, and still counts",
    berlin("2026-03-28", "02:30", "03:30", "+01:00"),
    ["2026-03-28T01:30:00Z", "2026-03-29T01:30:00Z", "2026-03-30T00:30:00Z"],
  ],
  [
    "at 02:30 is shifted forward by the gap in New York, and still counts",
    newYork("2026-03-07", "02:30", "03:30", "-05:00"),
    ["2026-03-07T07:30:00Z", "2026-03-08T07:30:00Z", "2026-03-09T06:30:00Z"],
  ],
  [
    "at 02:30 is the first of the two in the overlap in Berlin",
    berlin("2025-10-25", "02:30", "03:00", "+02:00"),
    ["2025-10-25T00:30:00Z", "2025-10-26T00:30:00Z", "2025-10-27T01:30:00Z"],
  ],
  [
    "at 01:30 is the first of the two in the overlap in New York",
    newYork("2025-11-01", "01:30", "02:00", "-04:00"),
    ["2025-11-01T05:30:00Z", "2025-11-02T05:30:00Z", "2025-11-03T06:30:00Z"],
  ],
  [
    "begun in the second half of an overlap begins there",
    berlin("2025-10-26", "02:30", "03:00", "+01:00"),
    ["2025-10-26T01:30:00Z", "2025-10-27T01:30:00Z", "2025-10-28T01:30:00Z"],
  ],
  [
    "takes its local time from the event's zone, whatever the offset that start was sent with",
    { start: "2026-03-28T08:00:00Z", end: "2026-03-28T13:15:00+05:00", tzid: "Europe/Berlin" },
    ["2026-03-28T08:00:00Z", "2026-03-29T07:00:00Z", "2026-03-30T07:00:00Z"],
  ],
  [
    "takes the zone inside start when tzid is not sent",
    {
      start: { time: "2026-03-28T09:00:00", tzid: "Europe/Berlin" },
      end: "2026-03-28T09:00:00Z",
      tzid: undefined,
    },
    ["2026-03-28T08:00:00Z", "2026-03-29T07:00:00Z", "2026-03-30T07:00:00Z"],
  ],
  [
    "takes tzid before the zone inside start",
    {
      start: { time: "2026-03-28T09:00:00", tzid: "Asia/Tokyo" },
      end: "2026-03-28T00:30:00Z",
      tzid: "Europe/Berlin",
    },
    ["2026-03-28T00:00:00Z", "2026-03-29T00:00:00Z", "2026-03-29T23:00:00Z"],
  ],
  [
    "takes any name of a zone",
    { ...newYork("2026-03-07", "09:00", "10:00", "-05:00"), tzid: "us/eastern" },
    ["2026-03-07T14:00:00Z", "2026-03-08T13:00:00Z", "2026-03-09T13:00:00Z"],
  ],
];

describe("a timed series repeats at the same local time all year", () => {
  it.each(changesOfTheClocks)("%s", async (_, times, starts) => {
    const calendar = await opened();
    await write(calendar, { ...daily, ...times, ...repeating({ frequency: "daily", count: 3 }) });
    expect((await eventsOf(calendar)).map(({ start }) => start)).toEqual(starts);
  });

  it("and keeps the elapsed duration of the first occurrence", async () => {
    const calendar = await opened();
    const night = { start: "2025-10-24T22:00:00+02:00", end: "2025-10-25T06:00:00+02:00" };
    await write(calendar, { ...daily, ...night, ...repeating({ frequency: "daily", count: 2 }) });
    expect(await timesOf(calendar)).toEqual([
      ["2025-10-24", "2025-10-24T20:00:00Z", "2025-10-25T04:00:00Z"],
      ["2025-10-25", "2025-10-25T20:00:00Z", "2025-10-26T04:00:00Z"],
    ]);
  });

  it("as localized_times shows it", async () => {
    const calendar = await opened();
    const times = berlin("2026-03-28", "09:00", "09:30", "+01:00");
    await write(calendar, { ...daily, ...times, ...repeating({ frequency: "daily", count: 2 }) });
    const events = await eventsOf(calendar, { localized_times: "true", tzid: "Europe/Berlin" });
    expect(events.map(({ start }) => start)).toEqual(["2026-03-28T09:00:00+01:00", "2026-03-29T09:00:00+02:00"]);
  });
});

describe("an all-day series", () => {
  it("knows no clocks: its dates are dates in every zone", async () => {
    const calendar = await opened();
    const days = { start: "2026-03-28", end: "2026-03-29" };
    await write(calendar, { ...daily, ...days, ...repeating({ frequency: "daily", count: 3 }) });
    for (const tzid of ["Europe/Berlin", "Pacific/Kiritimati", "Pacific/Pago_Pago"]) {
      expect(await timesOf(calendar, { tzid })).toEqual([
        ["2026-03-28", "2026-03-28", "2026-03-29"],
        ["2026-03-29", "2026-03-29", "2026-03-30"],
        ["2026-03-30", "2026-03-30", "2026-03-31"],
      ]);
    }
  });
});

describe("occurrence_date", () => {
  it("is the original day in the event's time zone, not in UTC", async () => {
    const calendar = await opened();
    const late = { start: "2025-12-01T23:30:00-05:00", end: "2025-12-02T00:30:00-05:00", tzid: "America/New_York" };
    await write(calendar, { ...daily, ...late, ...repeating({ frequency: "daily", count: 2 }) });
    expect(await timesOf(calendar)).toEqual([
      ["2025-12-01", "2025-12-02T04:30:00Z", "2025-12-02T05:30:00Z"],
      ["2025-12-02", "2025-12-03T04:30:00Z", "2025-12-03T05:30:00Z"],
    ]);
  });

  it("is kept when the occurrence is moved", async () => {
    const calendar = await opened();
    await write(calendar, { ...daily, ...repeating({ frequency: "weekly", count: 2 }) });
    await change(calendar, "2025-12-08", { start: "2025-12-10T12:00:00Z", end: "2025-12-10T13:00:00Z" });
    expect(await timesOf(calendar)).toEqual([
      ["2025-12-01", "2025-12-01T08:00:00Z", "2025-12-01T08:30:00Z"],
      ["2025-12-08", "2025-12-10T12:00:00Z", "2025-12-10T13:00:00Z"],
    ]);
  });
});
