import { z } from "zod";
import { changedFields, changeKinds } from "@/server/domain/events/change-kind";
import { id, utcTime } from "@/server/services/response-fields";

/** One change of an event. */
export const changeShape = z.object({
  id: z
    .string()
    .regex(/^chg_.+$/)
    .describe("Each change has one, and is returned once by a cursor and its followers."),
  kind: z
    .enum(changeKinds)
    .describe(
      "`replied`: nothing but replies of guests or the user changed. `link_added`: the meeting link is there. `booking_conflict`: a booked time was taken at the provider, too.",
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
        "With `include=event`: the event as it is now, in UTC, as GET /v1/events returns it; of a series the occurrence that the change names. Omitted if the calendar no longer has it, or reads do not return it.",
      ),
  });
}

/** Builds the response of GET /v1/changes. */
export const changesShape = <Change extends z.ZodType>(change: Change) =>
  z.object({
    changes: z.array(change).describe("In the order in which they happened in each calendar."),
    cursor: z.string().describe("What the next request begins with. Store it once you have handled the changes."),
    has_more: z.boolean().describe("Whether there is more already."),
    reset: z
      .literal(true)
      .describe("The cursor was too old: forget what you stored. The feed begins again with what exists.")
      .optional(),
  });

type ListedChangeShape = z.output<ReturnType<typeof listedChangeShape>>;
export type ChangesShape = z.output<ReturnType<typeof changesShape<z.ZodType<ListedChangeShape>>>>;
