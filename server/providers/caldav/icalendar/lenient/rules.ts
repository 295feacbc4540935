import { type RruleProblem, readRrule } from "@/server/domain/recurrence/rfc5545/read-rrule";
import { readDate, standardDate } from "@/server/providers/caldav/icalendar/lenient/dates";
import type { Leniency } from "@/server/providers/caldav/icalendar/lenient/leniency";

const MAX_LENGTH = 4096;

/** How a rule that `readRrule` refuses is read. */
export interface RuleLeniency extends Leniency {
  /** It leaves out a part, so that the rule has more dates than with it. Of an EXRULE that would take away what is busy. */
  widens?: boolean;
}

/** What is read beside RFC 5545 §3.3.10, beyond cases, blanks, empty and unknown parts. A rule without a FREQ is no rule. */
export const rules: readonly RuleLeniency[] = [
  {
    name: "quotes around it, commas for semicolons",
    why: "No part of a rule has a quote, and no value of a list an equals sign.",
    example: ['"FREQ=DAILY,COUNT=3"', "FREQ=DAILY;COUNT=3"],
    respell: (text) => text.replace(/["']/g, "").replace(/,(?=\s*[A-Z]+\s*=)/gi, ";"),
  },
  {
    name: "a part twice",
    why: "The last one counts, as for dateutil and ical.js.",
    example: ["FREQ=DAILY;COUNT=9;COUNT=3", "FREQ=DAILY;COUNT=3"],
    respell: (text) => {
      const parts = new Map(partsOf(text).map((part) => [part.name, part]));
      return parts.size === partsOf(text).length ? text : written([...parts.values()]);
    },
  },
  {
    name: "an end in another spelling",
    why: "An UNTIL is a date like any other: see the table of dates.",
    example: ["FREQ=DAILY;UNTIL=20261204T100000+0100", "FREQ=DAILY;UNTIL=20261204T090000Z"],
    respell: (text) =>
      changed(text, ({ name, value }) => {
        const until = name === "UNTIL" ? readDate(value) : null;
        return until ? standardDate(until) : value;
      }),
  },
  {
    name: "days by longer names",
    why: "The first two letters are the standard's.",
    example: ["FREQ=WEEKLY;BYDAY=Mon,Wednesday", "FREQ=WEEKLY;BYDAY=MO,WE"],
    respell: (text) =>
      changed(text, ({ name, value }) =>
        name === "BYDAY" || name === "WKST" ? value.toUpperCase().replace(/([A-Z]{2})[A-Z]+/g, "$1") : value,
      ),
  },
  {
    name: "a value that does not exist in a list",
    why: "The others are understood.",
    example: ["FREQ=DAILY;BYHOUR=9,25", "FREQ=DAILY;BYHOUR=9"],
    respell: (text) =>
      changed(text, ({ name, value }) => {
        if (!name.startsWith("BY")) return value;
        const known = value.split(",").filter((item) => problemOf(`FREQ=DAILY;${name}=${item}`) === null);
        return known.length > 0 ? known.join(",") : value;
      }),
  },
  {
    name: "a part that cannot be read",
    why: "INTERVAL=0, COUNT=-1, UNTIL=never, BYMONTH=13: the rule is read as if it were not there. RSCALE stays, since its rule is of another calendar.",
    example: ["FREQ=DAILY;INTERVAL=0;COUNT=3", "FREQ=DAILY;COUNT=3"],
    widens: true,
    respell: (text) => {
      const kept = partsOf(text).filter(
        ({ name, value }) => name === "FREQ" || name === "RSCALE" || problemOf(`FREQ=DAILY;${name}=${value}`) === null,
      );
      return written(kept);
    },
  },
];

/** Gives a rule with its odd parts put right or left out, if that makes it readable. Any other text is returned unchanged. */
export function standardRule(text: string, { excludes = false } = {}): string {
  if (text.length > MAX_LENGTH) return text;
  let spelling = text;
  for (const { respell, widens = false } of rules) {
    if (problemOf(spelling) === null) return spelling;
    if (!(excludes && widens)) spelling = respell(spelling);
  }
  return problemOf(spelling) === null ? spelling : text;
}

interface Part {
  name: string;
  value: string;
}

function problemOf(text: string): string | null {
  return (readRrule(text) as Partial<RruleProblem>).problem ?? null;
}

function partsOf(text: string): Part[] {
  return text
    .replace(/^\s*(?:RRULE|EXRULE)\s*:/i, "")
    .split(";")
    .flatMap((part) => {
      const [name = "", ...value] = part.split("=");
      return name.trim() === "" ? [] : [{ name: name.trim().toUpperCase(), value: value.join("=").trim() }];
    });
}

function written(parts: readonly Part[]): string {
  return parts.map(({ name, value }) => `${name}=${value}`).join(";");
}

function changed(text: string, change: (part: Part) => string): string {
  const parts = partsOf(text);
  const values = parts.map(change);
  if (parts.every(({ value }, i) => value === values[i])) return text;
  return written(parts.map(({ name }, i) => ({ name, value: values[i] ?? "" })));
}
