import { type Field, isObject, type JsonObject, refuseUnknown } from "@/server/domain/recurrence/body-field";
import { readByDay } from "@/server/domain/recurrence/read-by-day";
import { type Frequency, frequencies, type Rule } from "@/server/domain/recurrence/rule";
import { type Day, parseDay } from "@/server/domain/time/day";

export const MAX_INTERVAL = 99;
export const MAX_COUNT = 730;

const fields = ["frequency", "interval", "count", "until", "by_day"];

/** A rule as reads return it: as sent, without an interval of 1 ("Event"). */
export interface SentRule {
  frequency: Frequency;
  interval?: number;
  count?: number;
  until?: string;
  by_day?: { day: string; nth_of_period?: number }[];
}

/**
 * Reads one rule ("Recurrence rule", "Event-write keys"), reporting all its errors.
 * @returns null where a field of the rule could not be read; unknown fields are only reported
 */
export function readRule(raw: unknown, field: Field): { rule: Rule; sent: SentRule } | null {
  if (!isObject(raw)) {
    field.add("errors.invalid_format", "must be an object");
    return null;
  }
  refuseUnknown(raw, fields, field);
  const issuesBefore = field.issues.length;
  const frequency = readFrequency(raw.frequency, field.at("frequency"));
  const interval = readNumber(raw.interval, MAX_INTERVAL, field.at("interval"));
  const count = readNumber(raw.count, MAX_COUNT, field.at("count"));
  const until = readUntil(raw, field.at("until"));
  const byDay = raw.by_day === undefined ? [] : readByDay(raw.by_day, frequency, field.at("by_day"));
  if (field.issues.length > issuesBefore || frequency === null || byDay === null) return null;
  return { rule: { frequency, interval: interval ?? 1, count, until, byDay }, sent: asSent(raw) };
}

function readFrequency(raw: unknown, field: Field): Frequency | null {
  const frequency = frequencies.find((one) => one === raw);
  if (frequency) return frequency;
  if (raw === undefined) field.add("errors.required", "is required");
  else field.add("errors.not_recognized", `must be one of ${frequencies.join(", ")}`);
  return null;
}

function readNumber(raw: unknown, max: number, field: Field): number | null {
  if (raw === undefined) return null;
  if (typeof raw !== "number" || !Number.isInteger(raw) || raw < 1) {
    field.add("errors.must_be_integer_greater_than_zero", "must be an integer greater than zero");
    return null;
  }
  if (raw > max) field.add("errors.too_big", `must be at most ${max}`);
  return raw;
}

function readUntil({ until, count }: JsonObject, field: Field): Day | null {
  if (until === undefined) return null;
  const day = typeof until === "string" ? parseDay(until) : null;
  if (day === null) field.add("errors.must_be_date", "must be a date such as 2026-11-21");
  if (count !== undefined)
    field.add("errors.not_supported_count_until_combination", "is mutually exclusive with count");
  return day;
}

function asSent(raw: JsonObject): SentRule {
  const { frequency, interval, count, until, by_day } = raw as unknown as SentRule;
  return {
    frequency,
    ...(interval !== undefined && interval !== 1 && { interval }),
    ...(count !== undefined && { count }),
    ...(until !== undefined && { until }),
    ...(by_day !== undefined && { by_day }),
  };
}
