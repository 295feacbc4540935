import { z } from "zod";
import { changedFields, changeKinds } from "@/server/domain/events/change-kind";
import { id, utcTime } from "@/server/services/response-fields";

/** One change of an event. */
export const changeShape = z.object({
  id: z
    .string()
    .regex(/^chg_.+$/)
    .describe("Unique to each change. Following the cursor returns each change once."),
  kind: z
    .enum(changeKinds)
    .describe(
      "`replied`: only replies of guests or the user changed. `link_added`: the meeting link was added. `booking_conflict`: someone took a booked time at the provider.",
    ),
  calendar_id: id("cal"),
  event_uid: id("evt").describe("As reads name the event; of a series its first occurrence."),
  event_id: z.string().describe("Your id, if your application created the event.").optional(),
  series_identifier: z.string().describe("Of a series: what its occurrences in reads have in common.").optional(),
  occurrence_date: z
    .string()
    .meta({ format: "date" })
    .describe("If a single occurrence of a series changed: its original day.")
    .optional(),
  fields: z.array(z.enum(changedFields)).describe("What changed. Empty for events that were created or deleted."),
  by: z.enum(["application", "others"]).describe("Whether a request of your application made the change."),
  at: utcTime,
});

/** Builds a change as the feed lists it. `event`: the documented event. */
export function listedChangeShape(event: z.ZodType) {
  return changeShape.extend({
    event: event
      .optional()
      .describe(
        "With `include=event`: the current event, in UTC, as GET /v1/events returns it; of a series, the occurrence that the change names. Omitted if the calendar no longer has it, or reads do not return it.",
      ),
  });
}

/** Builds the response of GET /v1/changes. */
export const changesShape = <Change extends z.ZodType>(change: Change) =>
  z.object({
    changes: z.array(change).describe("In the order in which they happened in each calendar."),
    cursor: z.string().describe("Pass it with the next request. Store it once you have handled the changes."),
    has_more: z.boolean().describe("Whether more changes are waiting."),
    reset: z
      .literal(true)
      .describe("The cursor was too old: discard what you stored. The feed starts over with what exists.")
      .optional(),
  });

type ListedChangeShape = z.output<ReturnType<typeof listedChangeShape>>;
export type ChangesShape = z.output<ReturnType<typeof changesShape<z.ZodType<ListedChangeShape>>>>;
