import { createHash } from "node:crypto";
import { wake } from "@/server/db/wake";
import type { Instant } from "@/server/domain/time/instant";
import { type BookingBody, bookingBody } from "@/server/services/bookings/body";
import { type Owner, ownerOf } from "@/server/services/bookings/owner";
import { type BookingContext, requiredMembers } from "@/server/services/bookings/required";
import { type BookingShape, shownBooking } from "@/server/services/bookings/response-shape";
import { lockWanted, prepare, settle } from "@/server/services/bookings/settle";
import { type BookedEvent, isInPlace, readBooked } from "@/server/services/bookings/write-booked";
import { refusedLater } from "@/server/services/events/refused-later";
import { inputOf, rawInput } from "@/server/services/input";
import { invalid, isRefusal } from "@/server/services/refusal";
import { eitherProcedure } from "@/server/services/trpc";
import { findBookingOfEvent, type Hold } from "@/server/store/bookings/bookings";
import type { BookingRow } from "@/server/store/bookings/bookings.sql";

/** The body, and a digest of it as it was sent: the same one again is the same booking. */
const input = (read = inputOf(bookingBody)) =>
  rawInput((raw) => ({
    body: read(raw),
    sentEvent: (raw as { event: object }).event,
    digest: createHash("sha256").update(JSON.stringify(raw)).digest(),
  }));

type Sent = { body: BookingBody; sentEvent: object; digest: Buffer };

/**
 * Writes an event only if everybody who has to be free is, or holds the time (POST /v1/bookings). Refuses with 422, 404
 * and 403 as a write of an event does; `taken` if somebody is not free or not known to be, or the calendar is deleted,
 * `unreachable` if a provider can't be asked in time. Then nothing is written.
 */
export const book = eitherProcedure.input(input()).mutation(async ({ input: sent, ctx }): Promise<BookingShape> => {
  const { body, digest } = sent;
  const { calendar_id: calendarId, event } = body;
  const owner = await ownerAfterBody(body, ctx);
  const now = ctx.now as Instant;
  const before = await findBookingOfEvent(ctx.db.query, calendarId, event.event_id);
  const read = () => readBooked(ctx.db.query, { calendarId, owner, body: event });
  if (before && (await isSame(before, sent, { read, now }))) return shownBooking(before);
  const members = await requiredMembers(body, ctx);
  const wanted = { body, digest, owner, members, ctx };
  const prepared = await prepare(wanted, before, (booked) => void holdOf(sent, booked));
  const { booking, isQueued } = await refusedLater(ctx, { calendarId, eventId: event.event_id }, () =>
    ctx.db.transaction(async (query, prisma) => {
      const booked = await lockWanted(query, prepared);
      const before = await findBookingOfEvent(query, calendarId, event.event_id);
      // Somebody sent the same at the same time, and was first.
      const isRepeated = before && (await isSame(before, sent, { read: async () => booked, now }));
      if (isRepeated) return { booking: before, isQueued: false };
      return await settle({ query, prisma }, prepared, { booked, before, hold: holdOf(sent, booked) });
    }),
  );
  if (isQueued) wake("push");
  return shownBooking(booking);
});

/** Finds whose calendar it is. A body that names unknown accounts is refused before its calendar is. */
async function ownerAfterBody(body: BookingBody, ctx: BookingContext): Promise<Owner> {
  try {
    return await ownerOf(ctx.db, body.calendar_id, ctx.asking);
  } catch (error) {
    if (isRefusal(error)) await requiredMembers(body, ctx);
    throw error;
  }
}

/**
 * Checks whether the same request was answered before, and its answer still holds: the time is held, or the event is
 * where the request puts it.
 */
async function isSame(
  before: BookingRow,
  { digest }: Sent,
  { read, now }: { read: () => Promise<BookedEvent>; now: Instant },
): Promise<boolean> {
  if (before.isExpired || !before.digest.equals(digest)) return false;
  return before.heldUntil !== null || (before.hasEvent && (await isInPlace(await read(), now)));
}

/** Returns what a hold keeps; null for a booking at once. Throws 422 for an event that is there already: it would stay where it was. */
function holdOf({ body, sentEvent }: Sent, { read }: BookedEvent): Hold | null {
  const { hold_seconds: seconds, require_free, buffer, if_unreachable } = body;
  if (seconds === undefined) return null;
  if (!read.living) return { seconds, event: sentEvent, conditions: { require_free, buffer, if_unreachable } };
  const description = "hold_seconds is for new events: this one already exists, and can be moved without it";
  throw invalid({ path: ["hold_seconds"], key: "errors.invalid", description });
}
