import type { Connection, Query } from "@/server/db/client";
import { databaseTime } from "@/server/db/database-time";
import { newId } from "@/server/db/new-id";
import { run } from "@/server/db/statement";
import type { Interval } from "@/server/domain/availability/intervals";
import {
  type BookingRow,
  bookingOfEvent,
  bookingOfId,
  insertBooking,
  lockCalendars,
} from "@/server/store/bookings/bookings.sql";

/** Loads a booking that the application, or one of its accounts, may see. */
export async function findBooking(
  query: Query,
  id: string,
  { applicationId, accountId }: { applicationId: string; accountId: string | null },
): Promise<BookingRow | undefined> {
  return (await run(query, bookingOfId, [id, databaseTime(), applicationId, accountId]))[0];
}

/** Loads the booking of an event, held, booked or expired. */
export async function findBookingOfEvent(
  query: Query,
  calendarId: string,
  eventId: string,
): Promise<BookingRow | undefined> {
  return (await run(query, bookingOfEvent, [calendarId, databaseTime(), eventId]))[0];
}

/** Locks calendars for the rest of the transaction, in the order of their ids. */
export async function lockForBooking(query: Query, calendarIds: readonly string[]): Promise<void> {
  await run(query, lockCalendars, [calendarIds]);
}

/** Lists the calendars whose time a booking takes. None if it is over or gone. */
export async function bookedCalendars({ prisma }: Pick<Connection, "prisma">, id: string): Promise<string[]> {
  const calendars = await prisma.bookingCalendar.findMany({ select: { calendarId: true }, where: { bookingId: id } });
  return calendars.map(({ calendarId }) => calendarId);
}

export interface NewBooking {
  applicationId: string;
  accountId: string;
  calendarId: string;
  eventId: string;
  eventRow: string;
  eventUid: string;
  digest: Buffer;
  /** All calendars whose time it takes. */
  calendarIds: readonly string[];
  /** Null: it is booked. */
  hold: (Hold & { spans: readonly Interval[] }) | null;
}

/** What a booking keeps until it is confirmed. */
export interface Hold {
  seconds: number;
  /** As it was sent. */
  event: object;
  /** Who has to be free when it is confirmed. */
  conditions: object;
}

/** Stores a booking in place of the one that its event has, with the id of that one unless it had expired. */
export async function storeBooking(
  { query, prisma }: Connection,
  before: BookingRow | undefined,
  booking: NewBooking,
): Promise<void> {
  const id = before && !before.isExpired ? before.id : newId("bkg");
  const { applicationId, accountId, calendarId, eventId, eventRow, eventUid, digest, calendarIds, hold } = booking;
  if (before) await dropBooking({ prisma }, before.id);
  await run(query, insertBooking, [
    ...[id, applicationId, accountId, calendarId, eventId, eventRow, eventUid, digest, databaseTime()],
    hold?.seconds ?? null,
    hold ? JSON.stringify(hold.event) : null,
    hold?.spans.map(({ start }) => new Date(start)) ?? [],
    hold?.spans.map(({ end }) => new Date(end)) ?? [],
    hold ? JSON.stringify(hold.conditions) : null,
    calendarIds,
  ]);
}

/** Gives the time of a booking free. */
export async function dropBooking({ prisma }: Pick<Connection, "prisma">, id: string): Promise<void> {
  await prisma.booking.deleteMany({ where: { id } });
}
