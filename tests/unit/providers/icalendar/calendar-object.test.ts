import { describe, expect, it } from "vitest";
import { whole } from "@/server/domain/pieces";
import { calendarRead, calendarWritten } from "@/server/providers/caldav/icalendar/text/calendar-object";

const LONG = 1_000_000;
const object = (...lines: string[]) => ({ name: "VCALENDAR", lines, components: [] });

describe("a calendar object is written", () => {
  it.each([
    ["74 octets", `X:${"a".repeat(72)}`],
    ["75 octets", `X:${"a".repeat(73)}`],
    ["76 octets", `X:${"a".repeat(74)}`],
    ["two octets a character", `X:${"ü".repeat(200)}`],
    ["three octets a character", `X:${"語".repeat(200)}`],
    ["four octets a character", `X:${"🗓".repeat(200)}`],
    ["all of them, over the edge of a line", `X:${"aü語🗓".repeat(200)}`],
    ["half of a surrogate pair", `X:${"\ud800".repeat(200)}`],
  ])("with a line of %s: no line is longer than 75 octets, and it is read as it was", (_, line) => {
    const text = whole(calendarWritten(object(line)));
    const written = text.split("\r\n");
    expect(Math.max(...written.map((one) => Buffer.byteLength(one)))).toBeLessThanOrEqual(75);
    expect(whole(calendarRead(text))?.lines).toEqual([line]);
    // Each is full: not even the smallest room for a character of four octets is left.
    const folded = written.slice(1, -3);
    expect(folded.every((one) => Buffer.byteLength(one) > 71)).toBe(true);
  });

  // In one piece a long line held the event loop for 50 ms while V8 had not yet compiled the loop.
  it.each([
    ["one long line", [`DESCRIPTION:${"a".repeat(LONG)}`]],
    ["many short lines", Array.from({ length: LONG / 10 }, (_, i) => `X:${i}`)],
  ])("with %s: in pieces of at most 40,000 characters", (_, lines) => {
    expect([...calendarWritten(object(...lines))].length).toBeGreaterThanOrEqual(LONG / 40_000);
  });
});
