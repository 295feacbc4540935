import type { Query } from "@/server/db/client";
import { wake } from "@/server/db/wake";
import { type BookingBody, bookingBody } from "@/server/services/bookings/body";
import { bookingId, found } from "@/server/services/bookings/one";
import { ownerOf } from "@/server/services/bookings/owner";
import { type BookingContext, membersOfHold } from "@/server/services/bookings/required";
import { type BookingShape, shownBooking } from "@/server/services/bookings/response-shape";
import { lockWanted, type Prepared, prepare, settle } from "@/server/services/bookings/settle";
import type { BookedEvent } from "@/server/services/bookings/write-booked";
import { refusedLater } from "@/server/services/events/refused-later";
import { eventBody } from "@/server/services/events/write/input";
import { inputOf } from "@/server/services/input";
import { Refusal } from "@/server/services/refusal";
import { eitherProcedure } from "@/server/services/trpc";
import { bookedCalendars } from "@/server/store/bookings/bookings";
import type { BookingRow } from "@/server/store/bookings/bookings.sql";

const storedBody = inputOf(bookingBody);
const storedEvent = inputOf(eventBody);

/**
 * Writes the event of a hold, judged like a new booking (POST /v1/bookings/{booking_id}/confirm). A booking that is
 * booked stays as it is. Throws not_found; `conflict` once the hold has expired, its event was deleted, or one with its
 * event_id was written; `taken` and `unreachable` as for a booking, and the hold goes on; and what a write of the event
 * is refused with.
 */
export const confirmBooking = eitherProcedure
  .input(bookingId)
  .mutation(async ({ input: id, ctx }): Promise<BookingShape> => {
    const held = await found(ctx.db.query, id, ctx);
    if (isBooked(held)) return shownBooking(held);
    const { calendarId, eventId, digest } = held;
    const owner = await ownerOf(ctx.db, calendarId, ctx.asking);
    const body = bodyOf(held);
    const members = await membersOfHold(body, ctx);
    const prepared = await prepare({ body, digest, owner, members, ctx }, held, (booked) =>
      refuseWritten(booked, held),
    );
    const { booking, isQueued } = await refusedLater(ctx, { calendarId, eventId }, () =>
      ctx.db.transaction(async (query, prisma) => {
        const booked = await lockWanted(query, prepared, await bookedCalendars({ prisma }, id));
        const before = await stillHeld(query, { id, prepared, ctx });
        if (isBooked(before)) return { booking: before, isQueued: false };
        refuseWritten(booked, before);
        return await settle({ query, prisma }, prepared, { booked, before, hold: null });
      }),
    );
    if (isQueued) wake("push");
    return shownBooking(booking);
  });

/** Reports whether a hold was confirmed already. Throws `conflict` for what can't be confirmed any more. */
function isBooked({ heldUntil, isExpired, hasEvent }: BookingRow): boolean {
  if (isExpired) throw conflict("The hold has expired: book again");
  if (heldUntil !== null) return false;
  if (!hasEvent) throw conflict("The event of this booking was deleted: book again");
  return true;
}

/** Returns the request that a hold is of, without its `hold_seconds`. A hold of an earlier version names nobody who has to be free. */
function bodyOf({ calendarId, event, conditions }: BookingRow): BookingBody {
  if (conditions) return storedBody({ calendar_id: calendarId, event, ...conditions });
  return { calendar_id: calendarId, event: storedEvent(event), require_free: [], if_unreachable: "accept" };
}

/** Refuses to overwrite what was written with the hold's event_id. The event of the hold itself is there if somebody has just confirmed it. */
function refuseWritten({ read }: BookedEvent, { eventRow }: BookingRow): void {
  if (!read.living || read.living.id === eventRow) return;
  throw conflict("An event with this event_id was written after the hold: book again, or write the event");
}

/** Loads the hold again, now that its calendars are locked. Throws `conflict` if another request has replaced it. */
async function stillHeld(
  query: Query,
  { id, prepared, ctx }: { id: string; prepared: Prepared; ctx: BookingContext },
): Promise<BookingRow> {
  const booking = await found(query, id, ctx);
  const isReplaced = booking.heldUntil !== null && !booking.digest.equals(prepared.digest);
  if (isReplaced) throw conflict("Another request has just changed this hold: confirm it again");
  return booking;
}

function conflict(text: string): Refusal {
  return new Refusal({ kind: "conflict", text });
}
