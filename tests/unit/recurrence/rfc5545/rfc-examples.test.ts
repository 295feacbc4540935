import { describe, expect, it } from "vitest";
import { expand, given, shown } from "@/tests/unit/recurrence/rfc5545/given-series";
import { type RfcExample, rfcExamples } from "@/tests/unit/recurrence/rfc5545/rfc-examples";

const months = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split(" ");
const offsets: Record<string, number> = { EDT: 4, EST: 5 };

describe("RFC 5545 §3.8.5.3, its own examples", () => {
  it.each(rfcExamples.flatMap((example) => example.rules.map((rule) => ({ ...example, rule }))))(
    "$name: $rule",
    (example) => {
      const printed = instantsOf(example);
      const series = given(example.start, {
        tzid: "America/New_York",
        rrules: [example.rule],
        exdates: example.exdate === undefined ? [] : [{ text: example.exdate }],
      });
      const { occurrences, exhausted, problems } = expand(
        series,
        "1996-01-01T00:00:00Z",
        "2010-01-01T00:00:00Z",
        1_000_000,
      );
      const found = occurrences.map((one) => shown(one.starts));
      expect(found.slice(0, printed.length)).toEqual(printed);
      if (example.goesOn) expect(found.length).toBeGreaterThan(printed.length);
      else expect(found).toHaveLength(printed.length);
      expect({ exhausted, problems }).toEqual({ exhausted: false, problems: [] });
    },
  );

  it("ends the three-hourly example at 12:00 with the UNTIL that is printed (erratum 3883)", () => {
    const series = given("19970902T090000", {
      tzid: "America/New_York",
      rrules: ["FREQ=HOURLY;INTERVAL=3;UNTIL=19970902T170000Z"],
    });
    const { occurrences } = expand(series, "1997-01-01T00:00:00Z", "1998-01-01T00:00:00Z");
    expect(occurrences.map((one) => shown(one.starts))).toEqual(["1997-09-02T13:00", "1997-09-02T16:00"]);
  });

  it("gives the Sundays of §3.3.10's example at 8:30 and 9:30, every other January", () => {
    const series = given("19970105T083000", {
      tzid: "America/New_York",
      rrules: ["FREQ=YEARLY;INTERVAL=2;BYMONTH=1;BYDAY=SU;BYHOUR=8,9;BYMINUTE=30"],
    });
    const { occurrences } = expand(series, "1997-01-01T00:00:00Z", "2000-01-01T00:00:00Z");
    const sundays = ["1997-01-05", "1997-01-12", "1997-01-19", "1997-01-26"].concat([
      "1999-01-03",
      "1999-01-10",
      "1999-01-17",
      "1999-01-24",
      "1999-01-31",
    ]);
    expect(occurrences.map((one) => shown(one.recurrenceId))).toEqual(
      sundays.flatMap((day) => [`${day}T08:30`, `${day}T09:30`]),
    );
  });
});

/** What an example prints, as instants: `1997 EDT Sep 2-4,8 at 09:00,12:00`. */
function instantsOf({ prints }: RfcExample): string[] {
  const tokens = prints.split(" ");
  const found: string[] = [];
  let year = "";
  let offset = 0;
  let month = 0;
  tokens.forEach((token, i) => {
    if (/^\d{4}$/.test(token)) year = token;
    else if (token in offsets) offset = offsets[token] ?? 0;
    else if (months.includes(token)) month = months.indexOf(token);
    else if (/^[\d,-]+$/.test(token)) {
      const times = tokens[i + 1] === "at" ? (tokens[i + 2] ?? "").split(",") : ["09:00"];
      for (const day of daysOf(token)) {
        for (const time of times) {
          const [hour = 0, minute = 0] = time.split(":").map(Number);
          found.push(shown(Date.UTC(Number(year), month, day, hour + offset, minute)));
        }
      }
    }
  });
  return found;
}

function daysOf(token: string): number[] {
  return token.split(",").flatMap((item) => {
    const [first = 0, last = first] = item.split("-").map(Number);
    return Array.from({ length: last - first + 1 }, (_, i) => first + i);
  });
}
