import { z } from "zod";
import { isLink } from "@/server/domain/events/link";
import { MAX_READ_CALENDARS } from "@/server/domain/limits";
import { booleanOf } from "@/server/domain/query-boolean";
import { exceeds, isFaulty, isNameable, NAMEABLE_RULE } from "@/server/domain/text";
import { MAX_ID } from "@/server/domain/text-limits";
import { type Day, dayFault, parseDay } from "@/server/domain/time/day";
import type { Instant } from "@/server/domain/time/instant";
import { MOMENT_WORDS } from "@/server/domain/time/moment";
import { type NamedZone, namedZone } from "@/server/domain/time/named-zone";
import { parseTime, withPlusSign } from "@/server/domain/time/rfc3339";
import { zoneFault } from "@/server/domain/time/similar-zone";
import type { IssueParams } from "@/server/services/input";

const MICROS_IN_MS = 1000;

/** Creates a schema for text of `min` to `max` characters, counted in code points. */
export function text({ min = 0, max }: { min?: number; max: number }) {
  const limited = z.string().check(({ value, issues }) => {
    if (exceeds(value, max)) {
      issues.push({ code: "too_big", origin: "string", maximum: max, inclusive: true, input: value, message: "" });
    } else if (value.length < min) {
      issues.push({ code: "too_small", origin: "string", minimum: min, inclusive: true, input: value, message: "" });
    }
  });
  return limited.meta({ ...(min > 0 && { minLength: min }), maxLength: max });
}

/** Creates a schema for a name: one line of text that is not blank. */
export function nameOf({ max }: { max: number }) {
  return text({ min: 1, max })
    .check(({ value, issues }) => {
      if (issues.length > 0) return;
      if (value.trim() === "") issues.push(refused(value, { key: "errors.required" }, "is required"));
      else if (!isNameable(value)) issues.push(refused(value, { key: "errors.invalid" }, NAMEABLE_RULE));
    })
    .transform((name) => name.trim());
}

/**
 * Creates a schema for text that applications show as a link. Reports only one error for text that is too long or
 * cannot be stored.
 */
export function link(limits: { min?: number; max: number }) {
  return text(limits).check(({ value, issues }) => {
    if (issues.length > 0 || isFaulty(value) || isLink(value)) return;
    issues.push(
      refused(value, { key: "errors.invalid" }, "must be a link with a scheme that calendars use, such as https"),
    );
  });
}

const booleans = ["true", "false", "1", "0"];

/** Creates a schema for a query-string boolean. Generated clients may send a boolean. */
export function queryFlag(byDefault: boolean) {
  return z
    .unknown()
    .default(byDefault)
    .transform((value, { issues }): boolean => {
      const read = value === byDefault ? byDefault : booleanOf(value);
      if (read === undefined) issues.push({ code: "invalid_value", values: booleans, input: value, message: "" });
      return read ?? byDefault;
    })
    .meta({ anyOf: [{ type: "boolean" }, { type: "string", enum: booleans }] });
}

/** A query-string boolean. Omitted: false. */
export const queryBoolean = queryFlag(false);

/** The ids of calendars in a query, which repeats the parameter for each. */
export const calendarIdsQuery = z.array(text({ min: 1, max: MAX_ID })).max(MAX_READ_CALENDARS);

/** A time zone by any name of the tz database, or by its Windows name. */
export const timeZone = z
  .string()
  .transform((tzid, { issues }): NamedZone => {
    const zone = namedZone(tzid);
    if (zone) return zone;
    issues.push(refused(tzid, { key: "errors.invalid", reason: "time_zone" }, zoneFault(tzid)));
    return z.NEVER;
  })
  .meta({ description: "An IANA time zone such as `Europe/Paris`." });

/** A time with an offset in a query, in microseconds since 1970. */
export const time = z
  .string()
  .transform((value, { issues }): { micros: number } => {
    const parsed = parseTime(withPlusSign(value));
    if (parsed) return parsed;
    issues.push(
      refused(value, { key: "errors.invalid" }, "must be a time with an offset such as 2026-11-21T09:30:00Z"),
    );
    return z.NEVER;
  })
  .meta({ format: "date-time", description: "A time with an offset or `Z`." });

export type DayOrTime = { kind: "day"; day: Day } | { kind: "time"; at: Instant };

/** A date in a query, or a time with an offset, truncated to whole milliseconds. */
export const dayOrTime = z
  .string()
  .transform((value, { issues }): DayOrTime => {
    const day = parseDay(value);
    if (day !== null) return { kind: "day", day };
    const parsed = parseTime(withPlusSign(value));
    if (parsed) return { kind: "time", at: Math.floor(parsed.micros / MICROS_IN_MS) as Instant };
    issues.push(refused(value, { key: "errors.invalid" }, dayFault(value, MOMENT_WORDS)));
    return z.NEVER;
  })
  .meta({ anyOf: [{ format: "date" }, { format: "date-time" }] });

/**
 * Creates a schema for an object in which null counts as omitted, since serializers write null for unset fields. Not
 * for required fields, nor for `meaningful` ones, where null has its own meaning.
 */
export function sparse<Shape extends z.ZodRawShape>(shape: Shape, meaningful: readonly (keyof Shape)[] = []) {
  const optional = Object.entries(shape).flatMap(([name, field]) =>
    !meaningful.includes(name) && z.safeParse(field, undefined).success ? [name] : [],
  );
  const withoutNulls = (raw: unknown) => {
    if (typeof raw !== "object" || raw === null) return raw;
    const sent = raw as Record<string, unknown>;
    if (!optional.some((name) => sent[name] === null)) return raw;
    return Object.fromEntries(
      Object.entries(sent).filter(([name, value]) => value !== null || !optional.includes(name)),
    );
  };
  return z.preprocess(withoutNulls, z.object(shape));
}

/** Creates a custom zod issue that carries one of the specification's keys. */
export function refused(input: unknown, params: IssueParams, message: string): z.core.$ZodRawIssue {
  return { code: "custom", input, params: { ...params }, message };
}

/** Creates a check for `superRefine` that exactly one of two fields is sent. */
export function eitherOf(one: string, other: string) {
  return (value: unknown, { issues }: { issues: z.core.$ZodRawIssue[] }): void => {
    if (typeof value !== "object" || value === null) return;
    const sent = value as Record<string, unknown>;
    if (sent[one] === undefined && sent[other] === undefined) {
      issues.push({ ...refused(undefined, { key: "errors.required" }, `or ${other} is required`), path: [one] });
    } else if (sent[one] !== undefined && sent[other] !== undefined) {
      const rule = `must not be sent together with ${one}`;
      issues.push({ ...refused(sent[other], { key: "errors.invalid" }, rule), path: [other] });
    }
  };
}

/** Makes a check across fields run even when another field is invalid. */
export const always = { when: () => true };
