import { createRequire } from "node:module";
import pg from "pg";
import { expect, it } from "vitest";
import { newId } from "@/server/db/new-id";
import { occurrenceUid } from "@/server/domain/ids";
import type { Day } from "@/server/domain/time/day";
import { dayFromCivil, formatDay } from "@/server/domain/time/day";
import type { Instant } from "@/server/domain/time/instant";
import { arrays, arrayTexts } from "@/server/store/events/occurrence-rows";
import type { OccurrenceRow } from "@/server/store/events/rule-occurrences";

// What the driver makes of a value, and how it reads an array: neither is in its types.
const { prepareValue } = createRequire(import.meta.url)("pg/lib/utils.js");
const read: (text: string) => unknown[] = (pg.types as unknown as { getTypeParser(oid: number): never }).getTypeParser(
  1009,
);

const id = newId("evt");
const first = dayFromCivil(2026, 11, 21);
const row = (n: number, more: Partial<OccurrenceRow> = {}): OccurrenceRow => {
  const day = (first + n) as Day;
  const starts = (day * 86_400_000) as Instant;
  const times = { starts, ends: (starts + 1) as Instant };
  const stands = { state: n % 3, freeBusy: "tentative" as const, changes: null };
  const is = { first: n === 0, allDay: n % 2 === 0, isLong: false };
  return { uid: occurrenceUid(id, { day }), day: n % 2 ? formatDay(day) : null, ...is, ...times, ...stands, ...more };
};
const awkward = { summary: 'a "quoted", \\ {braced}\nNULL' };

it.each([
  ["rows of a series", [row(0), row(1), row(2), row(3)]],
  ["texts of some rows", [row(0), row(1, { changes: awkward }), row(2, { changes: { summary: "" } })]],
  ["one row", [row(1)]],
  ["no row", []],
])("arrays of %s are the same to PostgreSQL as those that the driver writes", (_, rows) => {
  const [ours, driver] = [arrayTexts(rows), arrays(rows)].map((all) => all.map((one) => read(prepareValue(one))));
  expect(ours).toEqual(driver);
});
