import { describe, expect, it } from "vitest";
import { readDateValue } from "@/server/domain/recurrence/rfc5545/date-value";
import { readDuration } from "@/server/domain/recurrence/rfc5545/duration";
import { readRrule } from "@/server/domain/recurrence/rfc5545/read-rrule";
import { addresses, personName, personNames, readAddress } from "@/server/providers/caldav/icalendar/lenient/addresses";
import { dates, readDate } from "@/server/providers/caldav/icalendar/lenient/dates";
import { durations, readLength } from "@/server/providers/caldav/icalendar/lenient/durations";
import { framings } from "@/server/providers/caldav/icalendar/lenient/framings";
import { judgements } from "@/server/providers/caldav/icalendar/lenient/judgements";
import type { Leniency } from "@/server/providers/caldav/icalendar/lenient/leniency";
import { lineSpellings } from "@/server/providers/caldav/icalendar/lenient/lines";
import { rules, standardRule } from "@/server/providers/caldav/icalendar/lenient/rules";
import { zoneMeant, zoneSpellings } from "@/server/providers/caldav/icalendar/lenient/zones";
import { readResource } from "@/server/providers/caldav/icalendar/read/read-resource";
import { readLine } from "@/server/providers/caldav/icalendar/text/content-line";
import { zoneNamed } from "@/server/providers/zone-names";
import { calendar, read, vevent } from "./given-state";
import { occurrencesOf } from "./occurrences-of";

/** How a table is used: strictly, and with all of its spellings. */
interface Used {
  table: readonly Leniency[];
  strictly: (text: string) => unknown;
  leniently: (text: string) => unknown;
  /** What the strict reader makes of a text that it can't read. */
  unread?: unknown;
}

const plainAddress = (text: string) => (/^[^\s@:<>"]+@[^\s@:<>"]+$/.test(text) ? text : null);
const plainRule = (text: string) => ("problem" in readRrule(text) ? null : readRrule(text));

const tables: Readonly<Record<string, Used>> = {
  dates: { table: dates, strictly: readDateValue, leniently: readDate },
  durations: { table: durations, strictly: readDuration, leniently: readLength },
  rules: { table: rules, strictly: plainRule, leniently: (text) => plainRule(standardRule(text)) },
  zones: {
    table: zoneSpellings,
    strictly: (text) => zoneNamed(text)?.zone ?? null,
    leniently: (text) => zoneMeant(text)?.zone ?? null,
  },
  addresses: { table: addresses, strictly: plainAddress, leniently: readAddress },
};

describe.each(Object.entries(tables))("the table of %s", (_, { table, strictly, leniently }) => {
  it.each(table.map((one) => [one.name, one] as const))(
    "is needed for %s, and reads it as the standard's own spelling",
    (_, one) => {
      const [odd, standard] = one.example;
      expect(strictly(odd)).toBeNull();
      expect(strictly(standard)).not.toBeNull();
      expect(leniently(odd)).toEqual(strictly(standard));
    },
  );

  it.each(table.map((one) => [one.name, one] as const))("says why: %s, and leaves alone what is standard", (_, one) => {
    expect(one.why).toMatch(/\S.*\.$/);
    for (const { example } of table) expect(strictly(one.respell(example[1]))).toEqual(strictly(example[1]));
  });

  it.each(["", " ", "x", "\u0000", "-", ":;,", "9".repeat(5_000)])("reads nothing into %j", (text) => {
    expect(leniently(text)).toEqual(strictly(text));
  });
});

describe("the table of lines", () => {
  it.each(lineSpellings.map(({ name, example, why }) => [name, example, why] as const))(
    "reads %s as a line that is quoted",
    (_, [odd, standard], why) => {
      expect(readLine(odd)).toEqual(readLine(standard));
      expect(why).toMatch(/\.$/);
    },
  );

  it.each([
    "DTSTART:tomorrow",
    "ATTENDEE;CN=A:nobody",
    'X;A="b:c',
    "SUMMARY;LANGUAGE=de:a: b; c=d:e",
    "DESCRIPTION:mailto:a@b.cc",
  ])("leaves %j as it is", (text) => {
    const [head = "", ...value] = text.replace('="', "=").split(":");
    expect(readLine(text)?.value).toBe(value.join(":"));
    expect(readLine(text)?.name).toBe(head.split(";")[0]);
  });
});

describe("the table of names of people", () => {
  it.each(personNames.map(({ name, example }) => [name, example] as const))("reads %s", (_, [odd, standard]) => {
    expect(personName(odd)).toBe(standard);
    expect(personName(standard)).toBe(standard);
  });
});

describe("the table of judgements", () => {
  it.each(judgements.map(({ name, example }) => [name, example] as const))(
    "decides %s",
    (_, { lines, occurrences }) => {
      expect(occurrencesOf(read(calendar(vevent(...lines))))).toEqual(occurrences);
    },
  );
});

describe("the table of framings", () => {
  it.each(framings.map(({ name, example }) => [name, example] as const))("reads %s", (_, { text, summaries }) => {
    const found = readResource(text, { ownAddresses: [] });
    expect("fault" in found ? found.fault : [found, ...found.others].map(({ state }) => state.summary)).toEqual(
      summaries,
    );
  });
});
