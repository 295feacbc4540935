import { z } from "zod";
import { MAX_BY_DAY, placesInMonth, weekdayNames } from "@/server/domain/recurrence/read-by-day";
import { MAX_EXCEPTIONS } from "@/server/domain/recurrence/read-exceptions";
import { MAX_COUNT, MAX_INTERVAL } from "@/server/domain/recurrence/read-rule";
import { frequencies } from "@/server/domain/recurrence/rule";
import { MAX_DESCRIPTION, MAX_LOCATION, MAX_SUMMARY } from "@/server/domain/text-limits";
import { momentShape } from "@/server/services/events/moment";
import { text } from "@/server/services/fields";

const day = z.string().meta({ format: "date" });

/** One rule, as writes send it and reads return it ("Recurrence rule"); the domain reads it (domain/recurrence/read-rule.ts). */
export const recurrenceRule = z.object({
  frequency: z.enum(frequencies),
  interval: z
    .int()
    .min(1)
    .max(MAX_INTERVAL)
    .optional()
    .describe("Repeat every this many days, weeks, months or years. Default: 1."),
  count: z.int().min(1).max(MAX_COUNT).optional().describe("Total number of occurrences, including the first."),
  until: day
    .optional()
    .describe(
      "The last day (inclusive) in the event's time zone. Mutually exclusive with `count`. Without either, the series never ends.",
    ),
  by_day: z
    .array(
      z.object({
        day: z.enum(weekdayNames),
        nth_of_period: z
          .literal(placesInMonth)
          .optional()
          .describe("Required in monthly rules, not allowed in others. Which one in the month; -1 is the last."),
      }),
    )
    .min(1)
    .max(MAX_BY_DAY)
    .optional()
    .describe("Only in weekly and monthly rules."),
});

const changedDay = z.object({
  date: day,
  start: momentShape.optional(),
  end: momentShape.optional(),
  summary: text({ max: MAX_SUMMARY }).optional(),
  description: text({ max: MAX_DESCRIPTION }).optional(),
  location: z.object({ description: text({ max: MAX_LOCATION }).optional() }).optional(),
});

/** `recurrence` of an event write; the domain reads it (domain/recurrence/read-recurrence.ts). */
export const recurrenceShape = z
  .object({
    rules: z.array(recurrenceRule).length(1).describe("Exactly one rule."),
    exceptions: z
      .object({
        add: z
          .array(z.object({ date: day }))
          .max(MAX_EXCEPTIONS)
          .optional()
          .describe("Days to skip."),
        change: z
          .array(changedDay)
          .max(MAX_EXCEPTIONS)
          .optional()
          .describe("Days with changes. Send `start` and `end` together."),
      })
      .optional()
      .describe("A list you send replaces the existing one; a list you omit stays unchanged. Name each day only once."),
  })
  .nullable()
  .describe("How the event repeats. `null` stops the repetition; if omitted, it stays unchanged.");
