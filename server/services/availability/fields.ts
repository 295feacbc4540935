import { z } from "zod";
import { MAX_AVAILABILITY_PERIODS, MAX_READ_CALENDARS } from "@/server/domain/limits";
import { MAX_ID } from "@/server/domain/text-limits";
import type { Instant } from "@/server/domain/time/instant";
import { parseTime } from "@/server/domain/time/rfc3339";
import { componentRef } from "@/server/services/docs-as";
import { refused, sparse, text } from "@/server/services/fields";

const DAY_MINUTES = 1_440;
const MICROS_IN_SECOND = 1_000_000;
const MS_IN_SECOND = 1_000;

/** A time with an offset. Whoever offers time rounds it to whole seconds, so that no fraction is offered twice. */
const instant = (round: (seconds: number) => number) =>
  z
    .string()
    .transform((value, { issues }): Instant => {
      const parsed = parseTime(value);
      if (parsed) return (round(parsed.micros / MICROS_IN_SECOND) * MS_IN_SECOND) as Instant;
      issues.push(
        refused(value, { key: "errors.invalid" }, "must be a time with an offset such as 2026-11-21T09:30:00Z"),
      );
      return z.NEVER;
    })
    .meta({ format: "date-time", description: "A time with an offset or `Z`, in whole seconds." });

export const availabilityPeriod = z
  .object({ start: instant(Math.ceil), end: instant(Math.floor) })
  .check(({ value, issues }) => {
    const { start, end } = value as Partial<typeof value>;
    if (start === undefined || end === undefined || end > start) return;
    issues.push({ ...refused(end, { key: "errors.invalid" }, "must be after start"), path: ["end"] });
  })
  .describe("A period. Its end is exclusive.");

/** Creates the schema of a list, counted before its entries are checked: thousands of errors would make a far larger response. */
export function list<T extends z.ZodType>(entry: T, { most, items }: { most: number; items: object }) {
  return z.array(z.unknown()).min(1).max(most).pipe(z.array(entry)).meta({ items, minItems: 1, maxItems: most });
}

/** Creates the schema of a duration: `{ minutes }`, from so many up to a day. */
export const minutes = (least: number) => z.object({ minutes: z.int().min(least).max(DAY_MINUTES) });

/** Creates the schema of a list of calendars, at most so many. */
export const calendarIdsUpTo = (most: number) =>
  list(text({ min: 1, max: MAX_ID }), { most, items: { type: "string", minLength: 1, maxLength: MAX_ID } });
export const calendarIds = calendarIdsUpTo(MAX_READ_CALENDARS);
export const periods = list(availabilityPeriod, {
  most: MAX_AVAILABILITY_PERIODS,
  items: componentRef("AvailabilityPeriod"),
});

export const accountSub = text({ min: 1, max: MAX_ID }).describe("The account's id, as in `sub`.");

export const buffer = sparse({ before: minutes(0).optional(), after: minutes(0).optional() });
