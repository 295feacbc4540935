import type { Issue } from "@/server/domain/issues";
import { type Field, fieldAt, isObject } from "@/server/domain/recurrence/body-field";
import type { SentExceptions } from "@/server/domain/recurrence/exceptions";
import { readExceptions } from "@/server/domain/recurrence/read-exceptions";
import { readRule, type SentRule } from "@/server/domain/recurrence/read-rule";
import type { Rule } from "@/server/domain/recurrence/rule";

/** Repetition in a write. Reads return `sent` as `recurrence`. */
export interface SentSeries {
  kind: "series";
  rule: Rule;
  sent: { rules: [SentRule] };
  exceptions: SentExceptions;
}

/**
 * Omitted: keeps the repetition. Null: ends it. A faulty one has no rule that could be parsed, and the issues say why.
 */
export type Recurrence =
  | { kind: "keep" }
  | { kind: "single" }
  | { kind: "faulty"; exceptions: SentExceptions }
  | SentSeries;

const NO_EXCEPTIONS: SentExceptions = { add: null, change: null };

/**
 * Reads `recurrence` of an event write ("Recurrence rule", "Event-write keys") with all its errors at once.
 * `checkSeries` covers what depends on the event's start and zone.
 * @param raw JSON as sent; undefined if omitted
 * @returns beside issues, whatever could be read, so that the rest can be checked too
 */
export function readRecurrence(raw: unknown): { recurrence: Recurrence; issues: Issue[] } {
  const field = fieldAt(["recurrence"]);
  return { recurrence: read(raw, field), issues: field.issues };
}

function read(raw: unknown, field: Field): Recurrence {
  if (raw === undefined) return { kind: "keep" };
  if (raw === null) return { kind: "single" };
  if (!isObject(raw)) {
    field.add("errors.invalid_format", "must be an object with rules, or null");
    return { kind: "faulty", exceptions: NO_EXCEPTIONS };
  }
  const only = readRules(raw.rules, field.at("rules"));
  const exceptions =
    raw.exceptions === undefined ? NO_EXCEPTIONS : readExceptions(raw.exceptions, field.at("exceptions"));
  if (!only) return { kind: "faulty", exceptions };
  return { kind: "series", rule: only.rule, sent: { rules: [only.sent] }, exceptions };
}

function readRules(rules: unknown, field: Field): { rule: Rule; sent: SentRule } | null {
  if (rules === undefined) field.add("errors.required", "is required");
  else if (!Array.isArray(rules)) field.add("errors.invalid_type", "must be an array");
  else if (rules.length === 0)
    field.add("errors.too_small", "must have one rule. To stop the series, send recurrence as null");
  else {
    if (rules.length > 1) field.add("errors.max_recurrence_rules_exceeded", "must have only one rule");
    return readRule(rules[0], field.at(0));
  }
  return null;
}
