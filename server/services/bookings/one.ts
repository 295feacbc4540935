import type { Query } from "@/server/db/client";
import { wake } from "@/server/db/wake";
import { isFaulty } from "@/server/domain/text";
import type { Instant } from "@/server/domain/time/instant";
import type { BookingContext } from "@/server/services/bookings/required";
import { type BookingShape, shownBooking } from "@/server/services/bookings/response-shape";
import { refusedLater } from "@/server/services/events/refused-later";
import { rawInput } from "@/server/services/input";
import { Refusal } from "@/server/services/refusal";
import { eitherProcedure } from "@/server/services/trpc";
import { bookedCalendars, dropBooking, findBooking, lockForBooking } from "@/server/store/bookings/bookings";
import type { BookingRow } from "@/server/store/bookings/bookings.sql";
import { lockEvent, readToWrite, writeEvent } from "@/server/store/event-writes/write-event";

export const bookingId = rawInput((raw) => String((raw as { booking_id: string }).booking_id));

/** Shows a booking (GET /v1/bookings/{booking_id}). Throws not_found. */
export const showBooking = eitherProcedure.input(bookingId).query(async ({ input, ctx }): Promise<BookingShape> => {
  return shownBooking(await found(ctx.db.query, input, ctx));
});

/**
 * Gives the time of a booking free, and deletes its event (DELETE /v1/bookings/{booking_id}). Throws not_found, also for
 * a booking that was cancelled so.
 */
export const cancelBooking = eitherProcedure.input(bookingId).mutation(async ({ input, ctx }): Promise<void> => {
  const { calendarId, eventId } = await found(ctx.db.query, input, ctx);
  const isQueued = await refusedLater(ctx, { calendarId, eventId }, () =>
    ctx.db.transaction(async (query, prisma) => {
      await lockForBooking(query, [calendarId, ...(await bookedCalendars({ prisma }, input))]);
      const booking = await found(query, input, ctx);
      await dropBooking({ prisma }, input);
      return booking.heldUntil === null && booking.hasEvent ? await deleteEvent(query, booking, ctx) : false;
    }),
  );
  if (isQueued) wake("push");
});

async function deleteEvent(query: Query, booking: BookingRow, { db, now }: BookingContext): Promise<boolean> {
  const { calendarId, accountId, eventId } = booking;
  const event = { calendarId, accountId, eventId };
  await lockEvent(query, calendarId, eventId);
  const read = await readToWrite(query, event);
  if (read?.living?.id !== booking.eventRow) return false;
  if (read.calendar.readonly) throw new Refusal({ kind: "read_only" });
  const gone = { after: null, ownTexts: read.living.ownTexts, notify: true, now: now as Instant, isLocked: true };
  return (await writeEvent(db, query, { ...event, read, ...gone })) === "queued";
}

/** Loads a booking that the caller may see. Throws not_found. */
export async function found(query: Query, id: string, { asking }: BookingContext): Promise<BookingRow> {
  const booking = isFaulty(id) ? undefined : await findBooking(query, id, asking);
  if (!booking) throw new Refusal({ kind: "not_found" });
  return booking;
}
