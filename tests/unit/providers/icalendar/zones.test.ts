import { describe, expect, it } from "vitest";
import { dayFromCivil } from "@/server/domain/time/day";
import type { Instant } from "@/server/domain/time/instant";
import type { LocalTime } from "@/server/domain/time/rfc3339";
import { utcMidnight } from "@/server/domain/time/utc-day";
import { toInstant } from "@/server/domain/time/zone";
import { ownInstant, readOwnZone } from "@/server/providers/caldav/icalendar/zones/own-zone";
import { zoneComponent } from "@/server/providers/caldav/icalendar/zones/zone-component";
import { zones } from "@/tests/unit/recurrence/random-rules";
import { namedZone } from "@/tests/unit/time/named-zone";
import { calendar, NOW, read, vevent } from "./given-state";

const HOUR_MS = 3_600_000;

describe("a VTIMEZONE that is written", () => {
  it.each([
    ...zones,
    "Asia/Jerusalem",
    "America/Asuncion",
    "America/Sao_Paulo",
    "Europe/Dublin",
    "America/Nuuk",
    "Asia/Tehran",
  ])("%s shows eight years as its zone does", (tzid) => {
    const zone = namedZone(tzid);
    const from = utcMidnight(dayFromCivil(2024, 6, 1));
    const own = readOwnZone(zoneComponent({ tzid, zone }, from, NOW as Instant));
    if (!own) throw new Error("nothing to read");
    const differing: string[] = [];
    for (let at: number = from; at < from + 8 * 366 * 24 * HOUR_MS; at += 11 * HOUR_MS + 1_800_000) {
      const local = at as LocalTime;
      if (ownInstant(own, local) !== toInstant(zone, local)) differing.push(new Date(at).toISOString());
    }
    expect(differing).toEqual([]);
  });

  it("keeps to two rules where the clocks do", () => {
    const { components } = zoneComponent(
      { tzid: "Europe/Berlin", zone: namedZone("Europe/Berlin") },
      NOW as Instant,
      NOW as Instant,
    );
    expect(components.flatMap(({ lines }) => lines.filter((line) => line.startsWith("RRULE")))).toEqual([
      "RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU",
      "RRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU",
    ]);
  });
});

describe("a zone that nobody knows by name", () => {
  const described = (from: string, to: string, standard: string, daylight: string) =>
    [
      "BEGIN:VTIMEZONE",
      "TZID:Customized Time Zone",
      "BEGIN:STANDARD",
      "DTSTART:16010101T030000",
      `TZOFFSETFROM:${to}`,
      `TZOFFSETTO:${from}`,
      `RRULE:FREQ=YEARLY;${standard}`,
      "END:STANDARD",
      "BEGIN:DAYLIGHT",
      "DTSTART:16010101T020000",
      `TZOFFSETFROM:${from}`,
      `TZOFFSETTO:${to}`,
      `RRULE:FREQ=YEARLY;${daylight}`,
      "END:DAYLIGHT",
      "END:VTIMEZONE",
    ].join("\r\n");
  const event = (day: string) =>
    vevent(`DTSTART;TZID=Customized Time Zone:${day}T090000`, "DURATION:PT1H", "RRULE:FREQ=DAILY");
  const european = ["BYDAY=-1SU;BYMONTH=10", "BYDAY=-1SU;BYMONTH=3"] as const;

  it("is the one with its rules", () => {
    const state = read(calendar(described("+0100", "+0200", ...european), event("20261123")));
    expect([state.tzid, new Date(state.span.starts).toISOString()]).toEqual([
      "Europe/Berlin",
      "2026-11-23T08:00:00.000Z",
    ]);
    expect(state.icalRecurrence).toMatchObject({ tzid: "Europe/Berlin", start: Date.parse("2026-11-23T09:00:00Z") });
  });

  it("is the nearest one where the rules are out of date, and right at the event", () => {
    const rules = described("-0500", "-0400", "BYDAY=-1SU;BYMONTH=10", "BYDAY=1SU;BYMONTH=4");
    const state = read(calendar(rules, event("20260715")));
    expect([state.tzid, new Date(state.span.starts).toISOString()]).toEqual([
      "America/New_York",
      "2026-07-15T13:00:00.000Z",
    ]);
  });

  it("is none where no clocks are like it; the instants are right", () => {
    const state = read(calendar(described("+0723", "+0823", ...european), event("20261123")));
    expect([state.tzid, new Date(state.span.starts).toISOString()]).toEqual([null, "2026-11-23T01:37:00.000Z"]);
    expect(state.icalRecurrence).toMatchObject({ tzid: null, start: Date.parse("2026-11-23T01:37:00Z") });
  });

  it("is what X-LIC-LOCATION says", () => {
    const rules = described("+0100", "+0200", ...european).replace("TZID:", "X-LIC-LOCATION:Europe/Vienna\r\nTZID:");
    expect(read(calendar(rules, event("20261123"))).tzid).toBe("Europe/Vienna");
  });

  it("without a description is read as UTC", () => {
    const state = read(calendar(event("20261123")));
    expect([state.tzid, new Date(state.span.starts).toISOString()]).toEqual([null, "2026-11-23T09:00:00.000Z"]);
  });
});
