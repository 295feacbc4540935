import { Temporal } from "temporal-polyfill";
import { describe, expect, it } from "vitest";
import type { LocalTime } from "@/server/domain/time/rfc3339";
import { toInstant, toLocal } from "@/server/domain/time/zone";
import { explanationOf } from "@/tests/unit/recurrence/rfc5545/explained-differences";
import { expand, given, local, shown } from "@/tests/unit/recurrence/rfc5545/given-series";
import {
  firstTimes,
  HORIZON_MS,
  type RandomRule,
  randomRule,
  ruleText,
  seeded,
} from "@/tests/unit/recurrence/rfc5545/random-rules";
import { secondEngine } from "@/tests/unit/recurrence/rfc5545/second-engine";
import { namedZone } from "@/tests/unit/time/named-zone";

const RULES = 2_000;
const MOST = 20;
const DAY_MS = 86_400_000;
const ZONES_HORIZON_MS = 3 * 366 * DAY_MS;

describe("2,000 random rules with every part of RFC 5545", () => {
  const random = seeded(5545);
  const rules = Array.from({ length: RULES }, () => randomRule(random));

  it("equal rrule-temporal, but for differences that are explained", () => {
    const tally = new Map<string, number>();
    const unexplained: string[] = [];
    for (const rule of rules) {
      const reason = equals(rule) ? "the same" : explanationOf(rule);
      if (reason === null) unexplained.push(`${new Date(rule.start).toISOString()} ${ruleText(rule)}`);
      else tally.set(reason, (tally.get(reason) ?? 0) + 1);
    }
    process.stdout.write(`rrule-temporal, of ${RULES} rules: ${JSON.stringify(Object.fromEntries(tally), null, 2)}\n`);
    expect(unexplained).toEqual([]);
    expect(tally.get("the same")).toBeGreaterThan(RULES * 0.9);
  });

  it("are of every frequency and hold every part", () => {
    const texts = rules.map(ruleText).join("\n");
    for (const freq of ["YEARLY", "MONTHLY", "WEEKLY", "DAILY", "HOURLY", "MINUTELY", "SECONDLY"]) {
      expect(texts.split(`FREQ=${freq}`).length).toBeGreaterThan(RULES / 15);
    }
    const parts =
      "INTERVAL COUNT UNTIL WKST BYSECOND BYMINUTE BYHOUR BYDAY BYMONTHDAY BYYEARDAY BYWEEKNO BYMONTH BYSETPOS";
    for (const part of parts.split(" ")) expect(texts.split(`${part}=`).length).toBeGreaterThan(RULES / 50);
  });
});

describe("300 random rules of DAILY to MONTHLY that DTSTART need not meet", () => {
  it("equal rrule-temporal with includeDtstart: DTSTART is the first occurrence, and COUNT counts it", () => {
    const random = seeded(77);
    const tally = { met: 0, "not met": 0 };
    for (let i = 0; i < 300; i++) {
      const rule = unsynchronized(random);
      const text = ruleText(rule);
      const to = rule.start + ZONES_HORIZON_MS;
      const theirs = secondEngine({ rule: text, start: rule.start, to, includeDtstart: true });
      const series = given(compact(rule.start), { tzid: "Etc/UTC", rrules: [text] });
      const { occurrences } = expand(series, `${shown(rule.start)}Z`, `${shown(to + DAY_MS)}Z`, 1_000_000);
      const ours = occurrences.map((one) => one.starts).filter((time) => time <= to);
      expect({ start: compact(rule.start), text, times: ours }).toEqual({
        start: compact(rule.start),
        text,
        times: theirs,
      });
      tally[firstTimes(text, rule.start, 1)[0] === rule.start ? "met" : "not met"]++;
    }
    expect(tally["not met"]).toBeGreaterThan(100);
  });
});

describe("300 random rules of DAILY to YEARLY in zones that change their clocks", () => {
  const zones = ["America/New_York", "Australia/Lord_Howe", "Europe/Berlin", "America/Santiago"];

  it("equal rrule-temporal as instants, but for differences that are explained", () => {
    const random = seeded(12);
    const tally = new Map<string, number>();
    const unexplained: string[] = [];
    for (let i = 0; i < 300; i++) {
      const tzid = zones[i % zones.length] ?? "";
      const rule = nightly(random);
      const reason = zoneReason(inZone(rule, tzid));
      if (reason === null) unexplained.push(`${tzid} ${new Date(rule.start).toISOString()} ${ruleText(rule)}`);
      else tally.set(reason, (tally.get(reason) ?? 0) + 1);
    }
    process.stdout.write(`rrule-temporal in zones: ${JSON.stringify(Object.fromEntries(tally), null, 2)}\n`);
    expect(unexplained).toEqual([]);
    expect(tally.get("the same")).toBeGreaterThan(150);
  });

  it("equal Temporal in Casablanca, where rrule-temporal misses Ramadan's change of clocks", () => {
    const rule: RandomRule = {
      freq: "MONTHLY",
      start: local("20160829T021500"),
      parts: new Map([["BYMONTHDAY", "29"]]),
    };
    const { locals, ours, theirs } = inZone(rule, "Africa/Casablanca");
    expect(ours).toEqual(locals.map((time) => temporal("Africa/Casablanca", time)));
    const off = ours.filter((time, i) => time !== theirs[i]).map(shown);
    expect(off).toEqual(["2018-05-29T02:15", "2019-05-29T02:15"]);
  });
});

interface InZone {
  tzid: string;
  /** Ours, ascending. */
  locals: LocalTime[];
  ours: number[];
  theirs: number[];
}

function zoneReason({ tzid, locals, ours, theirs }: InZone): string | null {
  const inGap = locals.filter((time) => shownTime(tzid, time) !== time);
  const [first] = locals;
  if (first !== undefined && inGap.includes(first))
    return "DTSTART in a gap: its shifted time becomes that of all others";
  const outside = ours.filter((_, i) => !inGap.includes(locals[i] ?? first ?? (0 as LocalTime)));
  const gap = inGap.length > 0 ? "a time in a gap: it is dropped and not counted" : "the same";
  if (same(outside, theirs)) return gap;
  return null;
}

function shownTime(tzid: string, local: LocalTime): number {
  return toLocal(namedZone(tzid), toInstant(namedZone(tzid), local));
}

function temporal(tzid: string, local: LocalTime): number {
  return Temporal.PlainDateTime.from(new Date(local).toISOString().slice(0, 19)).toZonedDateTime(tzid)
    .epochMilliseconds;
}

/** A rule whose start lies some days before one that meets it. With BYSETPOS rrule-temporal leaves such a start out at times. */
function unsynchronized(random: () => number): RandomRule {
  for (;;) {
    const rule = randomRule(random);
    const days = Math.floor(random() * 20);
    if (/DAILY|WEEKLY|MONTHLY/.test(rule.freq) && !rule.parts.has("BYSETPOS"))
      return { ...rule, start: (rule.start - days * DAY_MS) as LocalTime };
  }
}

function compact(time: number): string {
  return new Date(time).toISOString().slice(0, 19).replace(/[-:]/g, "");
}

/** A rule without parts of the day, at a quarter past two in the night. */
function nightly(random: () => number): RandomRule {
  for (;;) {
    const rule = randomRule(random);
    const names = [...rule.parts.keys()];
    const isCalm = !names.some((name) => /^(BYHOUR|BYMINUTE|BYSECOND|BYSETPOS|BYYEARDAY|COUNT)$/.test(name));
    const isLong = /DAILY|WEEKLY|MONTHLY/.test(rule.freq) || (rule.freq === "YEARLY" && !rule.parts.has("BYDAY"));
    const start = (Math.floor(rule.start / DAY_MS) * DAY_MS + 2.25 * 3_600_000) as LocalTime;
    if (isCalm && isLong && !rule.parts.has("BYWEEKNO")) return { ...rule, start };
  }
}

function inZone(rule: RandomRule, tzid: string): InZone {
  const zone = namedZone(tzid);
  const text = ruleText(rule);
  const to = rule.start + ZONES_HORIZON_MS;
  const locals = firstTimes(text, rule.start, 2_000, zone).filter((time) => toInstant(zone, time) <= to);
  return {
    tzid,
    locals,
    ours: locals.map((time) => toInstant(zone, time)),
    theirs: secondEngine({ rule: text, start: rule.start, to, tzid }),
  };
}

function equals(rule: RandomRule): boolean {
  const text = ruleText(rule);
  const ours = firstTimes(text, rule.start, MOST);
  const to = ours.length < MOST ? rule.start + HORIZON_MS : (ours.at(-1) ?? rule.start);
  const theirs = secondEngine({ rule: text, start: rule.start, to });
  return same(ours, theirs);
}

function same(ours: readonly number[], theirs: readonly number[]): boolean {
  return ours.length === theirs.length && ours.every((time, i) => time === theirs[i]);
}
