import { expandRrule } from "@/server/domain/recurrence/rfc5545/expand-rrule";
import { type Frequency, readRrule } from "@/server/domain/recurrence/rfc5545/read-rrule";
import type { LocalTime } from "@/server/domain/time/rfc3339";
import type { Zone } from "@/server/domain/time/zone";

export interface RandomRule {
  freq: Frequency;
  start: LocalTime;
  /** The parts, to be written in this order. */
  parts: Map<string, string>;
}

const weekdays = ["MO", "TU", "WE", "TH", "FR", "SA", "SU"];
const DAY_MS = 86_400_000;
export const HORIZON_MS = 12 * 366 * DAY_MS;

/** Numbers from 0 to below 1, the same for the same seed (mulberry32). */
export function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}

export function ruleText({ freq, parts }: RandomRule): string {
  return [`FREQ=${freq}`, ...[...parts].map(([name, value]) => `${name}=${value}`)].join(";");
}

/** The first times of a rule from its start, at most 12 years on; in UTC where there is no zone. */
export function firstTimes(rule: string, start: LocalTime, most: number, zone: Zone | null = null): LocalTime[] {
  const read = readRrule(rule);
  if ("problem" in read) throw new Error(`${rule}: ${read.problem}`);
  const found: LocalTime[] = [];
  const to = (start + HORIZON_MS) as LocalTime;
  const clock = { allDay: false, zone };
  const span = { start, from: start, to, clock, startCounts: false };
  for (const time of expandRrule(read, span, { steps: 60_000 })) {
    if (time === null) continue;
    found.push(time);
    if (found.length >= most) break;
  }
  return found;
}

/**
 * A random rule of any frequency with any part that RFC 5545 allows beside it, whose start meets it (where it does not, the
 * RFC leaves the result open) and that has an occurrence within 12 years.
 */
export function randomRule(random: () => number): RandomRule {
  for (;;) {
    const rule = draft(random);
    const [first] = firstTimes(ruleText(rule), rule.start, 1);
    if (first === undefined) continue;
    const ends = ending(random, first);
    for (const [name, value] of ends) rule.parts.set(name, value);
    return { ...rule, start: first };
  }
}

function draft(random: () => number): RandomRule {
  const below = (n: number) => Math.floor(random() * n);
  const freq = pick(random, ["YEARLY", "MONTHLY", "WEEKLY", "DAILY", "HOURLY", "MINUTELY", "SECONDLY"] as const);
  const start = Date.UTC(1995 + below(40), below(12), 1 + below(31), below(24), below(60), below(60)) as LocalTime;
  const parts = new Map<string, string>();
  if (random() < 0.5) parts.set("INTERVAL", String(1 + below(freq === "YEARLY" ? 4 : 7)));
  if (random() < 0.4) parts.set("WKST", pick(random, weekdays));
  const list = (name: string, chance: number, value: () => number | string, most = 3) => {
    if (random() < chance) parts.set(name, [...new Set(Array.from({ length: 1 + below(most) }, value))].join(","));
  };
  const signed = (most: number) => () => (random() < 0.6 ? 1 : -1) * (1 + below(most));
  const isShort = freq === "HOURLY" || freq === "MINUTELY" || freq === "SECONDLY";
  const now = new Date(start);
  list("BYMONTH", 0.3, () => (isShort ? now.getUTCMonth() + 1 : 1 + below(12)), 5);
  if (freq === "YEARLY") {
    const kind = below(5);
    if (kind === 0) list("BYWEEKNO", 1, signed(53));
    if (kind === 1) list("BYYEARDAY", 1, signed(366), 6);
  }
  if (freq !== "WEEKLY" && !parts.has("BYYEARDAY") && !parts.has("BYWEEKNO")) {
    list("BYMONTHDAY", 0.3, isShort ? () => now.getUTCDate() : signed(31), 8);
  }
  list("BYDAY", 0.45, () => weekdayOf(random, freq, parts), 4);
  if (isShort && parts.has("BYDAY")) parts.set("BYDAY", weekdays.filter(() => random() < 0.7).join(",") || "MO");
  list("BYHOUR", 0.25, () => below(24));
  list("BYMINUTE", 0.2, () => below(60));
  list("BYSECOND", 0.15, () => below(60));
  const hasPart = [...parts.keys()].some((name) => name.startsWith("BY"));
  if (hasPart) list("BYSETPOS", 0.25, () => (random() < 0.6 ? 1 : -1) * (1 + below(4)), 2);
  return { freq, start, parts };
}

function weekdayOf(random: () => number, freq: Frequency, parts: ReadonlyMap<string, string>): string {
  const name = pick(random, weekdays);
  const mayCount = freq === "MONTHLY" || (freq === "YEARLY" && !parts.has("BYWEEKNO"));
  if (!mayCount || random() < 0.5) return name;
  const most = freq === "YEARLY" && !parts.has("BYMONTH") ? 53 : 5;
  return `${random() < 0.6 ? "" : "-"}${1 + Math.floor(random() * most)}${name}`;
}

function ending(random: () => number, first: LocalTime): [string, string][] {
  const chance = random();
  if (chance < 0.25) return [["COUNT", String(1 + Math.floor(random() * 15))]];
  if (chance > 0.35) return [];
  const days = Math.floor(random() * random() * 2000);
  return [["UNTIL", `${new Date(first + days * DAY_MS).toISOString().slice(0, 19).replace(/[-:]/g, "")}Z`]];
}

function pick<Item>(random: () => number, items: readonly Item[]): Item {
  const item = items[Math.floor(random() * items.length)];
  if (item === undefined) throw new Error("nothing to pick from");
  return item;
}
