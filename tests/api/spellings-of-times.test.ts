import { expect, it } from "vitest";
import { opened } from "./read-under-test";
import { change, daily, repeating, timesOf, write } from "./written-series";

/** 09:00 and 09:30 in Berlin, in each spelling that is read. */
const spellings: [string, (time: string) => unknown][] = [
  ["as RFC 3339", (time) => `2025-12-02T${time}:00+01:00`],
  ["without seconds", (time) => `2025-12-02T${time}+01:00`],
  ["with an offset without colon", (time) => `2025-12-02T${time}:00+0100`],
  ["with an offset of hours alone", (time) => `2025-12-02T${time}:00+01`],
  ["without seconds, and with an offset without colon", (time) => `2025-12-02T${time}+0100`],
  ["with a space, without seconds, with an offset of hours alone", (time) => `2025-12-02 ${time}+01`],
  ["as Java writes a ZonedDateTime (RFC 9557)", (time) => `2025-12-02T${time}+01:00[Europe/Berlin]`],
  ["in UTC, without seconds", (time) => `2025-12-02T08${time.slice(2)}Z`],
  ["in a zone, without seconds", (time) => ({ time: `2025-12-02T${time}`, tzid: "Europe/Berlin" })],
  ["in a zone, with an offset without colon", (time) => ({ time: `2025-12-02T${time}+0100`, tzid: "Asia/Tokyo" })],
];

const read = ["2025-12-02T08:00:00Z", "2025-12-02T08:30:00Z"];

it.each(spellings)(
  "times %s are the same in each field that has one, and reads write them as before",
  async (_, at) => {
    const times = { start: at("09:00"), end: at("09:30") };
    const single = await opened();
    await write(single, { ...daily, ...times, tzid: undefined });
    expect(await timesOf(single)).toEqual([[undefined, ...read]]);
    const series = await opened();
    await write(series, { ...daily, ...times, ...repeating({ frequency: "daily", count: 2 }) });
    expect(await timesOf(series)).toEqual([
      ["2025-12-02", ...read],
      ["2025-12-03", ...read.map((time) => time.replace("-02T", "-03T"))],
    ]);
    const excepted = await opened();
    const exceptions = { change: [{ date: "2025-12-01", ...times }] };
    await write(excepted, { ...daily, ...repeating({ frequency: "daily", count: 1 }, exceptions) });
    expect(await timesOf(excepted)).toEqual([["2025-12-01", ...read]]);
    const changed = await opened();
    await write(changed, { ...daily, ...repeating({ frequency: "daily", count: 1 }) });
    await change(changed, "2025-12-01", times);
    expect(await timesOf(changed)).toEqual([["2025-12-01", ...read]]);
  },
);
