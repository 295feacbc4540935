import { clock } from "@/server/clock";
import type { GoesOn } from "@/server/db/batches";
import type { Connection, Database, TransactionWork } from "@/server/db/client";
import { run, runOne } from "@/server/db/statement";
import { deleteSomeEvents, type EmptiedCalendar, lockEmptiedCalendar } from "@/server/store/calendars/calendars.sql";
import { putChange, wakeForChange } from "@/server/store/channels/outbox";

/** How long other statements may wait for a piece; on an embedded database reads wait too. */
const PIECE_MS = 20;
const FIRST_PIECE = 20;
const LARGEST_PIECE = 1_000;

/**
 * Marks the events of a profile's deleted calendars deleted, each piece in a transaction, and then signals the changes.
 * No read shows them as live in the meantime. After an interruption the rest is done after the next list of the
 * profile's calendars.
 */
export async function emptyCalendars(db: Database, profileId: string, goesOn: GoesOn = () => true): Promise<void> {
  const where = { profileId, emptiedSince: { not: null } };
  for (const { id } of await db.prisma.calendar.findMany({ select: { id: true }, where, orderBy: { id: "asc" } })) {
    if (await emptyInPieces((work) => db.transaction(work), id, goesOn)) wakeForChange();
  }
}

/** Empties a calendar that exists again, in the caller's transaction. The caller signals its return. */
export async function emptyAtOnce({ query, prisma }: Connection, calendarId: string): Promise<void> {
  await emptyInPieces(
    (work) => work(query, prisma),
    calendarId,
    () => true,
  );
}

/** Empties a calendar piece by piece. Returns true when it is empty and changes were signalled. */
async function emptyInPieces(
  transaction: <T>(work: TransactionWork<T>) => Promise<T>,
  calendarId: string,
  goesOn: GoesOn,
): Promise<boolean> {
  let after: string | null = "";
  for (let most = FIRST_PIECE; after !== null; ) {
    if (!goesOn()) return false;
    const began = clock().monotonic();
    const piece: { last: string | null } = await transaction((query) =>
      runOne(query, deleteSomeEvents, [calendarId, after, most]),
    );
    after = piece.last;
    const tookMs = Math.max(1, clock().monotonic() - began);
    most = Math.max(1, Math.min(Math.floor((most * PIECE_MS) / tookMs), 2 * most, LARGEST_PIECE));
  }
  return await transaction((query, prisma) => end({ query, prisma }, calendarId));
}

async function end({ query, prisma }: Connection, calendarId: string): Promise<boolean> {
  const [emptied] = await run(query, lockEmptiedCalendar, [calendarId]);
  if (!emptied) return false;
  await prisma.calendar.update({ select: { id: true }, where: { id: calendarId }, data: { emptiedSince: null } });
  for (const managed of changesToSignal(emptied)) {
    await putChange(query, { by: "others", accountId: emptied.accountId, calendarId, managed, at: emptied.since });
  }
  return !emptied.isFirstSync;
}

/**
 * Lists the changes to signal, each as whether it is one of the application's events. A first sync ends with a signal
 * of its own.
 */
function changesToSignal({ isFirstSync, hadManaged }: EmptiedCalendar): boolean[] {
  if (isFirstSync) return [];
  return hadManaged ? [false, true] : [false];
}
