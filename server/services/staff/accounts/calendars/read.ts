import { z } from "zod";
import { runComposed } from "@/server/db/composed";
import { run } from "@/server/db/statement";
import { text } from "@/server/services/fields";
import { staffInput } from "@/server/services/input";
import { Refusal } from "@/server/services/refusal";
import { accountPage, accountState } from "@/server/services/staff/accounts/accounts.sql";
import { calendarCounts } from "@/server/services/staff/accounts/calendars/calendars.sql";
import type { AccountCalendars } from "@/server/services/staff/accounts/calendars/shapes";
import { readFailedWrites } from "@/server/services/staff/accounts/failed-writes";
import { readProfiles } from "@/server/services/staff/accounts/get";
import { accountRow } from "@/server/services/staff/accounts/list";
import { NOTHING_SKIPPED, readSkipped } from "@/server/services/staff/accounts/read-skipped";
import { calendarShown } from "@/server/services/staff/accounts/timeline/read";
import { calendarReadings } from "@/server/services/staff/accounts/timeline/timeline.sql";
import { scopedProcedure } from "@/server/services/staff/procedure/trpc";

/** Reads an account's calendars: how many events they have, how they are read, and which writes are pending. Throws not_found. */
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
      return counted
        ? [{ ...calendarShown(reading), ...counted, skipped: skipped.get(reading.id) ?? NOTHING_SKIPPED }]
        : [];
    });
    return { account: accountRow(row), profiles, calendars, writes, waitingWrites: rest.waitingWrites };
  });
