import { describe, expect, it } from "vitest";
import { type WorkingHours, weekdayNames, workingHours } from "@/server/domain/availability/working-hours";
import { formatInstant, type Instant } from "@/server/domain/time/instant";
import { namedZone } from "@/tests/unit/time/named-zone";

const at = (text: string) => Date.parse(text) as Instant;
const range = (start: string, end: string) => ({ start: at(start), end: at(end) });
const daily = (start: string, end: string): WorkingHours[] => weekdayNames.map((day) => ({ day, start, end }));

/** `from/to` of every interval, in UTC, without seconds. */
function expanded(hours: WorkingHours[], zone: string, { start, end }: { start: Instant; end: Instant }): string[] {
  const short = (instant: Instant) => formatInstant(instant).slice(0, 16);
  return workingHours(hours, namedZone(zone), { start, end }).map((one) => `${short(one.start)}/${short(one.end)}`);
}

describe("working hours", () => {
  it("are those of each date's own day of the week", () => {
    const hours: WorkingHours[] = [
      { day: "monday", start: "09:00", end: "17:00" },
      { day: "sunday", start: "10:30", end: "12:15" },
    ];
    expect(expanded(hours, "Africa/Lagos", range("2026-11-28T00:00Z", "2026-12-08T00:00Z"))).toEqual([
      "2026-11-29T09:30/2026-11-29T11:15",
      "2026-11-30T08:00/2026-11-30T16:00",
      "2026-12-06T09:30/2026-12-06T11:15",
      "2026-12-07T08:00/2026-12-07T16:00",
    ]);
  });

  it("end where the range does", () => {
    expect(expanded(daily("09:00", "17:00"), "Etc/UTC", range("2026-11-28T16:59Z", "2026-11-29T09:01Z"))).toEqual([
      "2026-11-28T16:59/2026-11-28T17:00",
      "2026-11-29T09:00/2026-11-29T09:01",
    ]);
    expect(expanded(daily("09:00", "17:00"), "Etc/UTC", range("2026-11-28T17:00Z", "2026-11-29T09:00Z"))).toEqual([]);
    expect(expanded(daily("00:00", "24:00"), "Etc/UTC", range("2026-11-28T17:00Z", "2026-11-28T17:00Z"))).toEqual([]);
  });

  it("are as long at the change of Berlin's clocks in a zone without one", () => {
    const march = range("2026-03-28T12:00Z", "2026-03-30T12:00Z");
    expect(expanded(daily("09:00", "11:00"), "Africa/Lagos", march)).toEqual([
      "2026-03-29T08:00/2026-03-29T10:00",
      "2026-03-30T08:00/2026-03-30T10:00",
    ]);
    expect(expanded(daily("09:00", "11:00"), "Europe/Berlin", march)).toEqual([
      "2026-03-29T07:00/2026-03-29T09:00",
      "2026-03-30T07:00/2026-03-30T09:00",
    ]);
  });

  it.each([
    ["00:00", "24:00", ["2026-03-28T23:00/2026-03-29T22:00"]],
    ["01:00", "04:00", ["2026-03-29T00:00/2026-03-29T02:00"]],
    ["02:30", "05:00", ["2026-03-29T01:00/2026-03-29T03:00"]],
    ["01:00", "02:30", ["2026-03-29T00:00/2026-03-29T01:00"]],
    ["02:00", "02:45", []],
    ["02:00", "03:00", []],
    ["02:30", "03:15", ["2026-03-29T01:00/2026-03-29T01:15"]],
  ])("%s to %s on the night when Berlin's clocks are set forward", (start, end, expected) => {
    const night = range("2026-03-28T23:00Z", "2026-03-29T22:00Z");
    expect(expanded([{ day: "sunday", start, end }], "Europe/Berlin", night)).toEqual(expected);
  });

  it.each([
    ["00:00", "24:00", ["2026-10-24T22:00/2026-10-25T23:00"]],
    ["01:00", "04:00", ["2026-10-24T23:00/2026-10-25T03:00"]],
    ["02:30", "05:00", ["2026-10-25T00:30/2026-10-25T04:00"]],
    ["01:00", "02:30", ["2026-10-24T23:00/2026-10-25T00:30"]],
    ["02:15", "02:45", ["2026-10-25T00:15/2026-10-25T00:45"]],
  ])("%s to %s on the night when Berlin's clocks are set back", (start, end, expected) => {
    const night = range("2026-10-24T22:00Z", "2026-10-25T23:00Z");
    expect(expanded([{ day: "sunday", start, end }], "Europe/Berlin", night)).toEqual(expected);
  });

  it("begin again at a midnight that the clocks are set back over, within a range that ends before the second one", () => {
    const night = range("2006-10-29T00:00Z", "2006-10-29T03:00Z");
    expect(expanded([{ day: "sunday", start: "00:00", end: "08:00" }], "America/St_Johns", night)).toEqual([
      "2006-10-29T02:30/2006-10-29T03:00",
    ]);
  });

  it("run on over midnight where one day's end at 24:00 and the next day's begin at 00:00", () => {
    const hours: WorkingHours[] = [
      { day: "monday", start: "22:00", end: "24:00" },
      { day: "tuesday", start: "00:00", end: "06:00" },
    ];
    expect(expanded(hours, "Europe/Berlin", range("2026-11-30T00:00Z", "2026-12-02T00:00Z"))).toEqual([
      "2026-11-30T21:00/2026-12-01T05:00",
    ]);
  });

  it("are merged where a day has several that overlap", () => {
    const hours = [...daily("13:00", "17:00"), ...daily("09:00", "12:00"), ...daily("11:00", "12:30")];
    expect(expanded(hours, "Etc/UTC", range("2026-11-30T00:00Z", "2026-12-01T00:00Z"))).toEqual([
      "2026-11-30T09:00/2026-11-30T12:30",
      "2026-11-30T13:00/2026-11-30T17:00",
    ]);
  });

  it("that end at or before their start are none", () => {
    const week = range("2026-11-30T00:00Z", "2026-12-07T00:00Z");
    expect(expanded([...daily("22:00", "06:00"), ...daily("09:00", "09:00")], "Etc/UTC", week)).toEqual([]);
  });

  it("of one day never meet in Kiritimati and Pago Pago, which are 25 hours apart", () => {
    const monday: WorkingHours[] = [{ day: "monday", start: "00:00", end: "24:00" }];
    const days = range("2026-11-28T00:00Z", "2026-12-03T00:00Z");
    expect(expanded(monday, "Pacific/Kiritimati", days)).toEqual(["2026-11-29T10:00/2026-11-30T10:00"]);
    expect(expanded(monday, "Pacific/Pago_Pago", days)).toEqual(["2026-11-30T11:00/2026-12-01T11:00"]);
  });
});
