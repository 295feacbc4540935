import { afterEach, describe, expect, it } from "vitest";
import { isBackwards, queriedTime, rangeOf, rangeWords, typedTime } from "@/components/dashboard/address/time-range";
import { relativeTime } from "@/components/ui/relative-time";
import { shownTimes, shownTimesOf } from "@/components/ui/shown-times";
import { fromWallClock, wallClock, zonedIso } from "@/components/ui/zoned-time";

const iso = (ms: number) => new Date(ms).toISOString();
const own = process.env.TZ;
afterEach(() => {
  if (own === undefined) delete process.env.TZ;
  else process.env.TZ = own;
});

describe("a time in a zone", () => {
  it("is read back as what it was written from, on both sides of a change of the clocks", () => {
    for (const zone of ["UTC", "Europe/Berlin", "America/New_York", "Asia/Kathmandu", "Australia/Lord_Howe"]) {
      for (let ms = Date.parse("2026-03-01T00:30:00Z"); ms < Date.parse("2026-12-01T00:00:00Z"); ms += 7 * 3_600_000) {
        const back = fromWallClock(wallClock(ms, zone), zone);
        // An hour that clocks show twice means one of both.
        expect([zone, iso(ms), wallClock(back, zone)]).toEqual([zone, iso(ms), wallClock(ms, zone)]);
        expect(Math.abs(back - ms)).toBeLessThanOrEqual(3_600_000);
      }
    }
    expect(fromWallClock("yesterday", "UTC")).toBeNaN();
  });

  it("is written with its offset in exports, and with Z in UTC", () => {
    expect(zonedIso("2026-11-21T17:27:42.123Z", "Europe/Berlin")).toBe("2026-11-21T18:27:42.123+01:00");
    expect(zonedIso("2026-11-21T02:00:00.000Z", "America/St_Johns")).toBe("2026-11-20T22:30:00.000-03:30");
    expect(zonedIso("2026-11-21T17:27:42.123Z", "UTC")).toBe("2026-11-21T17:27:42.123Z");
  });

  it("is typed and shown in that zone, and stands in the address in UTC", () => {
    const params = { from: queriedTime("2026-11-21T18:00", "Europe/Berlin"), to: "2026-11-21T18:30:15Z" };
    expect(params.from).toBe("2026-11-21T17:00:00");
    expect(typedTime(params.from, "Europe/Berlin")).toBe("2026-11-21T18:00:00");
    expect(rangeWords(params, "Europe/Berlin")).toBe("2026-11-21 18:00 CET – 2026-11-21 19:30:15 CET");
    expect(rangeWords({ from: params.from }, "UTC")).toBe("since 2026-11-21 17:00 UTC");
    expect(rangeWords({ from: "yesterday" }, "UTC")).toBe("since yesterday");
  });

  it("stands in the address in UTC, whatever the zone of the process", () => {
    process.env.TZ = "Asia/Tokyo";
    const params = { from: queriedTime("2026-11-21T18:00", "Europe/Berlin"), to: "2026-11-21T18:30:15Z" };
    expect(rangeOf(params, 0)).toEqual({ from: "2026-11-21T17:00:00.000Z", to: "2026-11-21T18:30:15.000Z" });
    expect(typedTime(params.from, "Europe/Berlin")).toBe("2026-11-21T18:00:00");
  });
});

it("an unknown range is left for the procedure to reject, and one that ends before it starts is noticed", () => {
  expect(rangeOf({ range: "99y" }, 0)).toEqual({ from: "99y" });
  const [early, late] = ["2026-11-21T17:00:00", "2026-11-21T18:00:00"];
  expect(isBackwards(rangeOf({ from: late, to: early }, 0))).toBe(true);
  expect(isBackwards(rangeOf({ from: early, to: late }, 0))).toBe(false);
  expect(isBackwards(rangeOf({ range: "1h" }, 0))).toBe(false);
});

describe("how times are shown", () => {
  it("is what the cookie says: UTC, or the browser's zone", () => {
    expect(shownTimes("utc")).toEqual({ mode: "utc", zone: "UTC" });
    expect(shownTimes("Europe%2FBerlin")).toEqual({ mode: "local", zone: "Europe/Berlin" });
    expect(shownTimesOf("a=b; almanac_times=Asia%2FTokyo; c=d")).toEqual({ mode: "local", zone: "Asia/Tokyo" });
  });

  it("is local, in UTC until the browser has said where it is, whatever else the cookie says", () => {
    const unknown = { mode: "local", zone: "UTC" };
    for (const cookie of [undefined, "", "Mars/Olympus", "%", "%E0%A4%A", "<script>", "a".repeat(5_000)])
      expect(shownTimes(cookie)).toEqual(unknown);
    expect(shownTimesOf(null)).toEqual(unknown);
  });
});

describe("a relative time", () => {
  const now = Date.parse("2026-11-21T12:00:00Z");
  const hours = (count: number) => relativeTime(now + count * 3_600_000, now);

  it("is in hours up to two days", () => {
    expect([hours(47), hours(-47.4), hours(24), hours(48), hours(-72)]).toEqual([
      "in 47 h",
      "47 h ago",
      "in 24 h",
      "in 2 d",
      "3 d ago",
    ]);
  });

  it("is the nearest that it can be: what was for seven days a moment ago is for seven days", () => {
    const seconds = (count: number) => relativeTime(now + count * 1_000, now);
    const day = 86_400;
    expect([seconds(7 * day - 1), seconds(-7 * day + 1), seconds(6.4 * day)]).toEqual(["in 7 d", "7 d ago", "in 6 d"]);
    expect([seconds(-59.6), seconds(-89), seconds(-91), seconds(-3_580)]).toEqual([
      "1 min ago",
      "1 min ago",
      "2 min ago",
      "1 h ago",
    ]);
    expect([hours(47.6), seconds(29.6 * day), seconds(364 * day), seconds(-365 * day)]).toEqual([
      "in 2 d",
      "in 1 mo",
      "in 12 mo",
      "1 y ago",
    ]);
    expect([seconds(-4.4), seconds(4.4), seconds(-4.6)]).toEqual(["just now", "now", "5 s ago"]);
  });
});
