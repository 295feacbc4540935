import type { Connection, Query } from "@/server/db/client";
import { newId } from "@/server/db/new-id";
import type { Interval } from "@/server/domain/availability/intervals";
import type { Instant } from "@/server/domain/time/instant";
import { buffered, bufferOf, rangeOfSpans } from "@/server/services/availability/buffers";
import { askedCalendars, type MemberTime } from "@/server/services/availability/members";
import type { BookingBody } from "@/server/services/bookings/body";
import { refuseTaken } from "@/server/services/bookings/judge";
import { liveBusyTime } from "@/server/services/bookings/live";
import type { Owner } from "@/server/services/bookings/owner";
import type { BookingContext } from "@/server/services/bookings/required";
import { spansOf } from "@/server/services/bookings/spans";
import { type BookedEvent, lockBooked, readBooked, writeBooked } from "@/server/services/bookings/write-booked";
import { findBookingOfEvent, type Hold, lockForBooking, storeBooking } from "@/server/store/bookings/bookings";
import type { BookingRow } from "@/server/store/bookings/bookings.sql";

/** A time that is to be booked or held, for whom and where. */
export interface Wanted {
  body: BookingBody;
  digest: Buffer;
  owner: Owner;
  members: ReadonlyMap<string, MemberTime>;
  ctx: BookingContext;
}

/** What is wanted, with what the providers said of it a moment ago. */
export interface Prepared extends Wanted {
  live: ReadonlyMap<string, readonly Interval[]>;
  /** The row of an event that is not there yet. */
  newRow: string;
}

/** Throws what the event as it is now is refused with. */
type Check = (booked: BookedEvent) => void;

/**
 * Asks the providers, without a lock. What is refused anyway is refused before. Throws `unreachable`, and 422, 404 and
 * 403 as a write of the event does.
 */
export async function prepare(wanted: Wanted, before: BookingRow | undefined, check: Check): Promise<Prepared> {
  const { body, owner, members, ctx } = wanted;
  const { calendar_id: calendarId, event } = body;
  const now = ctx.now as Instant;
  const booked = await readBooked(ctx.db.query, { calendarId, owner, body: event });
  const newRow = heldRow(before) ?? newId("evt");
  const eventRow = booked.read.living?.id ?? newRow;
  const { spans } = await spansOf(eventRow, booked.after, { zone: owner.zone, now });
  check(booked);
  const range = rangeOfSpans(buffered(spans, bufferOf(body)), now);
  const own = { calendarId, eventRow, rowBefore: before?.eventRow ?? null };
  const live = await liveBusyTime(ctx.db, { members, range, own, mayMiss: body.if_unreachable === "accept" });
  return { ...wanted, live, newRow };
}

/** Locks the calendar of the event, all that have to be free, and `more`. Then the event is read, and locked too. */
export async function lockWanted(
  query: Query,
  { body, owner, members }: Prepared,
  more: readonly string[] = [],
): Promise<BookedEvent & { calendarIds: string[] }> {
  const { calendar_id: calendarId, event } = body;
  const asked = askedCalendars(members.values()).map((one) => one.calendarId);
  const calendarIds = [...new Set([calendarId, ...asked, ...more])];
  await lockForBooking(query, calendarIds);
  return { ...(await lockBooked(query, { calendarId, owner, body: event })), calendarIds };
}

interface Settled {
  booking: BookingRow;
  /** Whether a provider has to be told. */
  isQueued: boolean;
}

/**
 * Judges what is locked, and then writes the event, or holds its time, in place of the booking that there was. Throws
 * `taken`.
 */
export async function settle(
  connection: Connection,
  { body, digest, owner, members, live, newRow, ctx }: Prepared,
  {
    booked,
    before,
    hold,
  }: { booked: BookedEvent & { calendarIds: string[] }; before: BookingRow | undefined; hold: Hold | null },
): Promise<Settled> {
  const { query } = connection;
  const { calendarId, eventId, calendarIds } = booked;
  const now = ctx.now as Instant;
  const eventRow = booked.read.living?.id ?? heldRow(before) ?? newRow;
  const { spans, eventUid } = await spansOf(eventRow, booked.after, { zone: owner.zone, now });
  const own = { calendarId, eventRow, rowBefore: before?.eventRow ?? null };
  await refuseTaken(query, { owner, members, spans, buffer: bufferOf(body), live, own, now });
  const isQueued = hold ? false : await writeBooked(ctx.db, query, { booked, eventRow, now });
  const { applicationId } = ctx.asking;
  const ids = { applicationId, accountId: owner.accountId, calendarId, eventId, eventRow, eventUid };
  await storeBooking(connection, before, { ...ids, digest, calendarIds, hold: hold && { ...hold, spans } });
  const booking = await findBookingOfEvent(query, calendarId, eventId);
  if (!booking) throw new Error("a booking that was stored is not there");
  return { booking, isQueued };
}

/** Returns the row that a living hold keeps for its event, so that the event keeps its name. */
function heldRow(before: BookingRow | undefined): string | null {
  return before && before.heldUntil !== null && !before.isExpired ? before.eventRow : null;
}
