import { databaseTime } from "@/server/db/database-time";
import { run } from "@/server/db/statement";
import { wake } from "@/server/db/wake";
import { changeByOthers } from "@/server/services/events/by-others";
import { holdInSandbox, REFUSED_FOR, refuseInSandbox } from "@/server/services/events/refused-later.sql";
import type { Context } from "@/server/services/trpc";
import { lockedCalendar } from "@/server/store/calendars/locked-calendar";
import { wakeForChange } from "@/server/store/channels/outbox";
import { livingEvent, livingRow } from "@/server/store/events/event-record";
import { signalRefused } from "@/server/store/provider-writes/signal-refused.sql";

/** The event of a write: by the application's name for it, or by its row. */
export interface WrittenEvent {
  calendarId: string;
  /** Null: others created it. */
  eventId: string | null;
  /** Omitted: the name says which event it is. */
  id?: string;
}

/**
 * Carries out a write and, where the request to the sandbox asked for it, undoes it as if the provider had refused it: the application
 * sees that it succeeded, then the event as it was, and notifications. Or it leaves the write pending, as if the provider did not have it
 * yet.
 */
export async function refusedLater<Result>(
  ctx: Context,
  { calendarId, eventId, id }: WrittenEvent,
  write: () => Promise<Result>,
): Promise<Result> {
  const { bearer, sandbox } = ctx;
  const { refusesWrites, holdsWrites } = sandbox;
  if (!bearer || (!refusesWrites && !holdsWrites)) return await write();
  const load: typeof livingRow = (query, calendar, row) =>
    eventId === null ? livingRow(query, calendar, row) : livingEvent(query, calendar, eventId);
  const before = await load(ctx.db.query, calendarId, id ?? "");
  const result = await write();
  const { accountId } = bearer;
  const isChanged = await ctx.db.transaction(async (query) => {
    if (!(await lockedCalendar(query, { calendarId, accountId }))) return false;
    const written = await load(query, calendarId, id ?? "");
    if (!written && !before) return false;
    if (holdsWrites) {
      await run(query, holdInSandbox, [calendarId, (written ?? before)?.id]);
      return false;
    }
    const isUndone = await changeByOthers(
      query,
      { ...ctx, bearer },
      {
        ...{ calendarId, eventId },
        id: written?.id ?? null,
        after: before?.state ?? null,
      },
    );
    const left = await load(query, calendarId, id ?? "");
    const [refused] = await run(query, refuseInSandbox, [calendarId, (left ?? written)?.id]);
    if (refused) await run(query, signalRefused, [refused.id, databaseTime(), REFUSED_FOR]);
    return isUndone;
  });
  if (refusesWrites) wake("notify");
  if (isChanged) wakeForChange();
  return result;
}
