import { z } from "zod";
import { formatInstant, type Instant } from "@/server/domain/time/instant";
import { problemShape } from "@/server/services/availability/response-shape";
import { id, utcTime } from "@/server/services/response-fields";
import type { BookingRow } from "@/server/store/bookings/bookings.sql";

/** A booking. */
export const bookingShape = z.object({
  booking_id: id("bkg"),
  state: z
    .enum(["booked", "held", "expired", "cancelled"])
    .describe(
      "`held`: the time is taken until `hold_expires_at`. `booked`: the event is written. `expired`: the hold was not confirmed in time. `cancelled`: the event was deleted in another way than with `DELETE /v1/bookings/{booking_id}`.",
    ),
  event_uid: id("evt").describe("As reads name the event; of a series its first occurrence."),
  hold_expires_at: utcTime.describe("Until when the time is held.").optional(),
});

export type BookingShape = z.output<typeof bookingShape>;

/** The response to a booking whose time is not free. */
export const conflictsShape = z.object({
  conflicts: z
    .array(z.object({ calendar_id: id("cal"), start: utcTime, end: utcTime }))
    .describe("The time that is taken, at most 50 entries, by start. Events and holds that overlap or touch are one."),
  problems: z.array(problemShape).describe("Accounts whose time isn't known, regardless of their events."),
});

/** The response to a booking for which a provider could not be asked. */
export const unreachableShape = z.object({ error: z.literal("unreachable"), sub: id("acc", "apc") });

/** Writes a booking as responses do. */
export function shownBooking({ id, heldUntil, isExpired, hasEvent, eventUid }: BookingRow): BookingShape {
  const held = heldUntil === null ? {} : { hold_expires_at: formatInstant(heldUntil as Instant) };
  const state = heldUntil === null ? (hasEvent ? "booked" : "cancelled") : isExpired ? "expired" : "held";
  return { booking_id: id, state, event_uid: eventUid, ...held };
}
