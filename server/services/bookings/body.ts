import { z } from "zod";
import { MAX_AVAILABILITY_MEMBERS, MAX_HOLD_SECONDS, MIN_HOLD_SECONDS } from "@/server/domain/limits";
import { MAX_ID } from "@/server/domain/text-limits";
import { accountSub, buffer, calendarIds, list } from "@/server/services/availability/fields";
import { componentRef } from "@/server/services/docs-as";
import { eventBody } from "@/server/services/events/write/input";
import { sparse, text } from "@/server/services/fields";

/** Whose time a booking needs. */
export const requiredFree = sparse({
  sub: accountSub,
  calendar_ids: calendarIds
    .describe("The calendars that must be free, and whose time is taken. Default: all of the account's.")
    .optional(),
});

/** The body of POST /v1/bookings. */
export const bookingBody = sparse({
  calendar_id: text({ min: 1, max: MAX_ID }).describe("The calendar that the event is written to."),
  event: eventBody.describe("The event, as in `POST /v1/calendars/{calendar_id}/events`."),
  require_free: list(requiredFree, {
    most: MAX_AVAILABILITY_MEMBERS,
    items: componentRef("RequiredFree"),
  }).describe("Everyone who must be free. Their time is taken for as long as the booking exists."),
  buffer: buffer.describe("Time before and after the event that must also be free.").optional(),
  hold_seconds: z
    .int()
    .min(MIN_HOLD_SECONDS)
    .max(MAX_HOLD_SECONDS)
    .describe("Holds the time for this many seconds instead of writing the event, until you confirm the booking.")
    .optional(),
  if_unreachable: z
    .enum(["refuse", "accept"])
    .describe(
      "What happens if a provider can't be reached in time: `refuse` books nothing, `accept` uses what was last read.",
    )
    .default("refuse"),
}).meta({ required: ["calendar_id", "event", "require_free"] });

export type BookingBody = z.output<typeof bookingBody>;
