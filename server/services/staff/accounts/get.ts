import { z } from "zod";
import type { Database, Query } from "@/server/db/client";
import { runComposed } from "@/server/db/composed";
import { run } from "@/server/db/statement";
import { providerName, serviceName } from "@/server/domain/wire-names";
import { text } from "@/server/services/fields";
import { staffInput } from "@/server/services/input";
import { Refusal } from "@/server/services/refusal";
import {
  accountPage,
  accountState,
  channelsOfAccount,
  profilesOfAccount,
} from "@/server/services/staff/accounts/accounts.sql";
import { readFailedWrites } from "@/server/services/staff/accounts/failed-writes";
import { accountRow } from "@/server/services/staff/accounts/list";
import { NOTHING_SKIPPED, readSkipped } from "@/server/services/staff/accounts/read-skipped";
import { reconnectPath } from "@/server/services/staff/accounts/reconnect-path";
import type {
  AccountCalendar,
  AccountChannel,
  AccountDetail,
  AccountProfile,
} from "@/server/services/staff/accounts/shapes";
import { scopedProcedure } from "@/server/services/staff/procedure/trpc";

/** Loads an account with everything that is connected to it. Throws not_found. */
export const getAccount = scopedProcedure
  .input(staffInput(z.object({ id: text({ min: 1, max: 100 }) })))
  .query(async ({ input: { id }, ctx: { db, scope } }): Promise<AccountDetail> => {
    await scope.expect("account", id);
    const [[row], [rest], profiles, rows, skipped, channels, failedWrites] = await Promise.all([
      runComposed(db.query, accountPage, { id, limit: 1 }),
      run(db.query, accountState, [id]),
      readProfiles(db.query, id),
      readCalendars(db, id),
      readSkipped(db.query, id),
      readChannels(db.query, id),
      readFailedWrites(db.query, id),
    ]);
    if (!row || !rest) throw new Refusal({ kind: "not_found" });
    const calendars = rows.map((one) => ({ ...one, skipped: skipped.get(one.id) ?? NOTHING_SKIPPED }));
    return { ...accountRow(row), ...rest, profiles, calendars, channels, failedWrites };
  });

export async function readProfiles(query: Query, accountId: string): Promise<AccountProfile[]> {
  const rows = await run(query, profilesOfAccount, [accountId]);
  return rows.map(({ lastSyncAt, syncDueAt, createdAt, disconnectedAt, clientId, redirectUri, ...row }) => {
    const provider = providerName("product", row.provider);
    const isReconnectable = !row.connected && redirectUri !== null;
    return {
      ...row,
      provider,
      service: serviceName("product", row.service),
      lastSyncAt: iso(lastSyncAt),
      syncDueAt: iso(syncDueAt),
      createdAt: createdAt.toISOString(),
      disconnectedAt: iso(disconnectedAt),
      reconnectPath: isReconnectable ? reconnectPath({ clientId, redirectUri, provider }) : null,
    };
  });
}

async function readCalendars({ prisma }: Database, accountId: string): Promise<Omit<AccountCalendar, "skipped">[]> {
  const rows = await prisma.calendar.findMany({
    select: {
      id: true,
      profileId: true,
      name: true,
      readonly: true,
      deleted: true,
      primary: true,
      tzid: true,
      changedAt: true,
    },
    where: { accountId },
    orderBy: [{ deleted: "asc" }, { number: "asc" }],
  });
  return rows.map((row) => ({ ...row, changedAt: row.changedAt.toISOString() }));
}

async function readChannels(query: Query, accountId: string): Promise<AccountChannel[]> {
  const rows = await run(query, channelsOfAccount, [accountId]);
  return rows.map((row) => ({ ...row, createdAt: row.createdAt.toISOString(), closedAt: iso(row.closedAt) }));
}

function iso(at: Date | null): string | null {
  return at === null ? null : at.toISOString();
}
