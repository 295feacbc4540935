import { firstTimes, type RandomRule, ruleText } from "@/tests/unit/recurrence/rfc5545/random-rules";
import { secondEngine } from "@/tests/unit/recurrence/rfc5545/second-engine";

const DAY_MS = 86_400_000;
const YEARS_MS = 9 * 366 * DAY_MS;

interface Explanation {
  reason: string;
  holds: (rule: RandomRule) => boolean;
}

/**
 * Where rrule-temporal is known to be wrong. Each predicate asks for more than the shape of the rule: that our answer is what
 * rrule-temporal itself gives for the rule's pieces, put together as RFC 5545 says.
 */
const explanations: Explanation[] = [
  {
    reason: "YEARLY, BYDAY beside BYMONTHDAY or BYYEARDAY: it adds days, note 2 of §3.3.10 says limit",
    holds: (rule) => (rule.parts.has("BYMONTHDAY") || rule.parts.has("BYYEARDAY")) && isSumOfPieces(rule),
  },
  {
    reason: "YEARLY, BYDAY with and without numbers (TU,29MO): it drops the days without",
    holds: (rule) => kindsOfByDay(rule) === 2 && isSumOfPieces(rule),
  },
  {
    reason: "YEARLY, BYDAY=53SU: in a year of 52 Sundays it gives the first of the next year",
    holds: (rule) => /53/.test(rule.parts.get("BYDAY") ?? "") && isSumOfPieces(rule),
  },
  {
    reason: "BYWEEKNO, DTSTART in a week that counts to another year: it begins with the wrong year",
    holds: (rule) => rule.parts.has("BYWEEKNO") && isRightInsideTheYear(rule),
  },
];

/** Why rrule-temporal gives something else for a rule; null when that is not known. */
export function explanationOf(rule: RandomRule): string | null {
  return explanations.find(({ holds }) => holds(rule))?.reason ?? null;
}

function kindsOfByDay({ parts }: RandomRule): number {
  const values = (parts.get("BYDAY") ?? "").split(",");
  return new Set(values.map((value) => value.length > 2)).size;
}

/** Its answers for each BYDAY value united, and those cut with its answers for BYMONTHDAY and BYYEARDAY ("Limit"). */
function isSumOfPieces(rule: RandomRule): boolean {
  if (rule.freq !== "YEARLY" || !rule.parts.has("BYDAY") || rule.parts.has("BYWEEKNO")) return false;
  const frame = only(rule, ["INTERVAL", "WKST", "BYMONTH"]);
  const byDay = (rule.parts.get("BYDAY") ?? "").split(",");
  const united = new Set(byDay.flatMap((value) => piece(frame, "BYDAY", value).filter((time) => isNth(time, value))));
  let days = [...united].sort((a, b) => a - b);
  for (const name of ["BYMONTHDAY", "BYYEARDAY"]) {
    const value = rule.parts.get(name);
    if (value === undefined) continue;
    const limit = new Set(piece(frame, name, value));
    days = days.filter((time) => limit.has(time));
  }
  const whole = only(rule, ["INTERVAL", "WKST", "BYMONTH", "BYDAY", "BYMONTHDAY", "BYYEARDAY"]);
  return isSame(ourTimes(whole), days);
}

/** It gives the first days of the next year for the 53rd weekday of a year that has 52. */
function isNth(time: number, value: string): boolean {
  const nth = Number(value.slice(0, -2));
  if (Math.abs(nth) < 53) return true;
  const year = new Date(time).getUTCFullYear();
  const index = Math.floor((time - Date.UTC(year, 0, 1)) / DAY_MS);
  const fromEnd = Math.floor((Date.UTC(year + 1, 0, 1) - 1 - time) / DAY_MS);
  return Math.floor((nth > 0 ? index : fromEnd) / 7) === 52;
}

/** From a DTSTART that is a week away, in the calendar year that the week counts to, it gives what we give. */
function isRightInsideTheYear(rule: RandomRule): boolean {
  const month = new Date(rule.start).getUTCMonth();
  if (month !== 0 && month !== 11) return false;
  const start = rule.start + (month === 0 ? -7 : 7) * DAY_MS;
  const from = Math.max(start, rule.start);
  const endless = only(
    rule,
    [...rule.parts.keys()].filter((name) => name !== "COUNT" && name !== "UNTIL"),
  );
  const theirs = secondEngine({ rule: ruleText(endless), start, to: rule.start + YEARS_MS });
  return isSame(
    ourTimes(endless).filter((time) => time >= from),
    theirs.filter((time) => time >= from),
  );
}

function ourTimes(rule: RandomRule): number[] {
  const to = rule.start + YEARS_MS;
  return firstTimes(ruleText(rule), rule.start, 20_000).filter((time) => time <= to);
}

function piece(frame: RandomRule, name: string, value: string): number[] {
  const rule = { ...frame, parts: new Map(frame.parts).set(name, value) };
  return secondEngine({ rule: ruleText(rule), start: rule.start, to: rule.start + YEARS_MS });
}

function only(rule: RandomRule, names: readonly string[]): RandomRule {
  return { ...rule, parts: new Map([...rule.parts].filter(([name]) => names.includes(name))) };
}

function isSame(some: readonly number[], others: readonly number[]): boolean {
  return some.length === others.length && some.every((time, i) => time === others[i]);
}
