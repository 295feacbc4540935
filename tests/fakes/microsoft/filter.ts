import { badRequest } from "./errors";
import type { EventResource } from "./event-view";
import { sameId } from "./properties";
import { instantOf } from "./times";

/** What a filter is asked of: the event as it is shown in UTC, and all its extended properties. */
export interface Filtered {
  view: EventResource;
  properties: ReadonlyMap<string, string>;
}

const unsupported = () =>
  badRequest("ErrorInvalidUrlQueryFilter", "The query filter contains one or more invalid nodes.");
/** The text of a literal. */
export const unquoted = (text: string) => text.replace(/^'|'$/g, "").replaceAll("''", "'");

/** Whether an event meets a $filter: comparisons that `and` joins. Everything else is refused, as much of it is by Exchange. */
export function meets({ view, properties }: Filtered, filter: string): boolean {
  return split(filter, " and ").every((term) => meetsTerm(view, properties, term.trim()));
}

/** The terms that `joint` joins, but within quotes or brackets. */
export function split(filter: string, joint: " and " | " or "): string[] {
  const terms = [""];
  let depth = 0;
  let isQuoted = false;
  for (const part of filter.split(new RegExp(`('|\\(|\\)|${joint})`))) {
    if (part === "'") isQuoted = !isQuoted;
    else if (!isQuoted) depth += part === "(" ? 1 : part === ")" ? -1 : 0;
    if (part === joint && depth === 0 && !isQuoted) terms.push("");
    else terms[terms.length - 1] += part;
  }
  return terms;
}

const EXTENDED = /^singleValueExtendedProperties\/any\(\s*(\w+)\s*:\s*\1\/id eq ('(?:[^']|'')*')(?: and (.+))?\)$/i;

function meetsTerm(view: EventResource, properties: ReadonlyMap<string, string>, term: string): boolean {
  const [, variable, id, condition] = EXTENDED.exec(term) ?? [];
  if (variable && id) {
    const value = [...properties].find(([key]) => sameId(key, unquoted(id)))?.[1];
    return value !== undefined && (condition === undefined || meetsValue(value, condition.trim()));
  }
  const [, field, operator, given] = /^([\w/]+) (eq|ne|ge|gt|le|lt) (.+)$/i.exec(term) ?? [];
  if (!field || !operator || !given) throw unsupported();
  return compares(fieldOf(view, field), operator.toLowerCase(), unquoted(given), field.endsWith("/dateTime"));
}

/** "For string-typed extended properties, apply a contains, startswith, eq, or ne operator on value"; that "is case-insensitive". */
function meetsValue(value: string, condition: string): boolean {
  const [, call, wanted] = /^(contains|startswith)\(\w+\/value, ?('(?:[^']|'')*')\)$/i.exec(condition) ?? [];
  const stored = value.toLowerCase();
  if (call && wanted) {
    const text = unquoted(wanted).toLowerCase();
    return call.toLowerCase() === "contains" ? stored.includes(text) : stored.startsWith(text);
  }
  // As public reports use it for "has the property at all".
  if (/^\w+\/value ne null$/i.test(condition)) return true;
  const [, operator, other] = /^\w+\/value (eq|ne) ('(?:[^']|'')*')$/i.exec(condition) ?? [];
  if (!operator || !other) throw unsupported();
  return (stored === unquoted(other).toLowerCase()) === (operator.toLowerCase() === "eq");
}

function fieldOf(view: EventResource, path: string): unknown {
  return path.split("/").reduce<unknown>((value, name) => {
    if (typeof value !== "object" || value === null || !(name in value)) throw unsupported();
    return (value as Record<string, unknown>)[name];
  }, view);
}

function compares(value: unknown, operator: string, given: string, isTime: boolean): boolean {
  const [one, other] = isTime ? [instantOf(String(value)), instantOf(given)] : [String(value), given];
  if (operator === "eq") return one === other;
  if (operator === "ne") return one !== other;
  if (operator === "ge") return one >= other;
  if (operator === "gt") return one > other;
  return operator === "le" ? one <= other : one < other;
}
