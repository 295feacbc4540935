import { z } from "zod";
import type { Query } from "@/server/db/client";
import { runComposed } from "@/server/db/composed";
import { run } from "@/server/db/statement";
import { text } from "@/server/services/fields";
import { Refusal } from "@/server/services/refusal";
import { accountPage, accountState } from "@/server/services/staff/accounts/accounts.sql";
import { calendarCounts, skippedEvents } from "@/server/services/staff/accounts/calendars/calendars.sql";
import type { AccountCalendars, SkippedEvents } from "@/server/services/staff/accounts/calendars/shapes";
import { skipReason } from "@/server/services/staff/accounts/calendars/skip-reason";
import { readFailedWrites } from "@/server/services/staff/accounts/failed-writes";
import { readProfiles } from "@/server/services/staff/accounts/get";
import { accountRow } from "@/server/services/staff/accounts/list";
import { calendarShown } from "@/server/services/staff/accounts/timeline/read";
import { calendarReadings } from "@/server/services/staff/accounts/timeline/timeline.sql";
import { staffInput } from "@/server/services/staff/procedure/staff-input";
import { scopedProcedure } from "@/server/services/staff/procedure/trpc";

/** The calendars of an account with how many events they have, how they are read, and what waits to be written. Throws not_found. */
export const readAccountCalendars = scopedProcedure
  .input(staffInput(z.object({ id: text({ min: 1, max: 100 }) })))
  .query(async ({ input: { id }, ctx: { db, scope } }): Promise<AccountCalendars> => {
    await scope.expect("account", id);
    const [[row], [rest], profiles, readings, counts, skipped, writes] = await Promise.all([
      runComposed(db.query, accountPage, { id, limit: 1 }),
      run(db.query, accountState, [id]),
      readProfiles(db.query, id),
      run(db.query, calendarReadings, [id]),
      run(db.query, calendarCounts, [id]),
      readSkipped(db.query, id),
      readFailedWrites(db.query, id, { withWaiting: true }),
    ]);
    if (!row || !rest) throw new Refusal({ kind: "not_found" });
    const countsOf = new Map(counts.map((one) => [one.id, one]));
    const calendars = readings.flatMap((reading) => {
      const counted = countsOf.get(reading.id);
      const none = { count: 0, events: [] };
      return counted ? [{ ...calendarShown(reading), ...counted, skipped: skipped.get(reading.id) ?? none }] : [];
    });
    return { account: accountRow(row), profiles, calendars, writes, waitingWrites: rest.waitingWrites };
  });

async function readSkipped(query: Query, accountId: string): Promise<ReadonlyMap<string, SkippedEvents>> {
  const rows = await run(query, skippedEvents, [accountId]);
  const byCalendar = new Map<string, SkippedEvents>();
  for (const { calendarId, externalId, reason, readAt, count } of rows) {
    const known = byCalendar.get(calendarId) ?? { count, events: [] };
    const name = externalId.split("/").at(-1) || externalId;
    known.events.push({ externalId, name, reason: skipReason(reason), readAt: readAt.getTime() });
    byCalendar.set(calendarId, known);
  }
  return byCalendar;
}
