import { z } from "zod";
import type { Database, Query } from "@/server/db/client";
import { runComposed } from "@/server/db/composed";
import { databaseTime } from "@/server/db/database-time";
import type { CalendarFeed } from "@/server/db/generated/client";
import { run } from "@/server/db/statement";
import type { FeedDetail } from "@/server/domain/feeds";
import { providerName, serviceName } from "@/server/domain/wire-names";
import { providerLabel } from "@/server/providers/offered";
import { text } from "@/server/services/fields";
import { staffInput } from "@/server/services/input";
import { Refusal } from "@/server/services/refusal";
import {
  accountPage,
  accountState,
  channelsOfAccount,
  profilesOfAccount,
} from "@/server/services/staff/accounts/accounts.sql";
import { bookingsOfAccount } from "@/server/services/staff/accounts/bookings.sql";
import { readFailedWrites } from "@/server/services/staff/accounts/failed-writes";
import { accountRow } from "@/server/services/staff/accounts/list";
import { NOTHING_SKIPPED, readSkipped } from "@/server/services/staff/accounts/read-skipped";
import { reconnectPath } from "@/server/services/staff/accounts/reconnect-path";
import type {
  AccountBooking,
  AccountCalendar,
  AccountChannel,
  AccountDetail,
  AccountFeed,
  AccountProfile,
  ReconnectLink,
} from "@/server/services/staff/accounts/shapes";
import { endpointState } from "@/server/services/staff/endpoints/list";
import { scopedProcedure } from "@/server/services/staff/procedure/trpc";

/** Loads an account with everything that is connected to it. Throws not_found. */
export const getAccount = scopedProcedure
  .input(staffInput(z.object({ id: text({ min: 1, max: 100 }) })))
  .query(async ({ input: { id }, ctx: { db, scope } }): Promise<AccountDetail> => {
    await scope.expect("account", id);
    const [[row], [rest], profiles, rows, skipped, channels, failedWrites, bookings] = await Promise.all([
      runComposed(db.query, accountPage, { id, limit: 1 }),
      run(db.query, accountState, [id]),
      readProfiles(db.query, id),
      readCalendars(db, id),
      readSkipped(db.query, id),
      readChannels(db.query, id),
      readFailedWrites(db.query, id),
      readBookings(db.query, id),
    ]);
    if (!row || !rest) throw new Refusal({ kind: "not_found" });
    const calendars = rows.map((one) => ({ ...one, skipped: skipped.get(one.id) ?? NOTHING_SKIPPED }));
    return { ...accountRow(row), ...rest, profiles, calendars, channels, failedWrites, bookings };
  });

export async function readProfiles(query: Query, accountId: string): Promise<AccountProfile[]> {
  const rows = await run(query, profilesOfAccount, [accountId, databaseTime()]);
  return rows.map(
    ({ lastSyncAt, syncDueAt, createdAt, disconnectedAt, clientId, redirectUri, reconnectLinks, server, ...row }) => {
      const provider = providerName("product", row.provider);
      const isReconnectable = !row.connected && row.provider !== "feed" && redirectUri !== null;
      return {
        ...row,
        provider,
        providerLabel: providerLabel(row.provider, server),
        service: serviceName("product", row.service),
        lastSyncAt: iso(lastSyncAt),
        syncDueAt: iso(syncDueAt),
        createdAt: createdAt.toISOString(),
        disconnectedAt: iso(disconnectedAt),
        reconnectLinks: reconnectLinks.map(linkOf),
        reconnectPath: isReconnectable ? reconnectPath({ clientId, redirectUri, provider, access: row.access }) : null,
      };
    },
  );
}

/** Writes the times of a link as all others are: PostgreSQL gives those of JSON in its own zone. */
function linkOf({ createdAt, expiresAt, usedAt }: ReconnectLink): ReconnectLink {
  const at = (text: string) => new Date(text).toISOString();
  return { createdAt: at(createdAt), expiresAt: at(expiresAt), usedAt: usedAt && at(usedAt) };
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
      feeds: { orderBy: [{ createdAt: "asc" }, { id: "asc" }] },
    },
    where: { accountId },
    orderBy: [{ deleted: "asc" }, { number: "asc" }],
  });
  return rows.map((row) => ({ ...row, changedAt: row.changedAt.toISOString(), feeds: row.feeds.map(feedOf) }));
}

function feedOf({ id, detail, daysBack, daysAhead, createdAt, lastReadAt }: CalendarFeed): AccountFeed {
  const times = { createdAt: createdAt.toISOString(), lastReadAt: iso(lastReadAt) };
  return { id, detail: detail as FeedDetail, daysBack, daysAhead, ...times };
}

async function readChannels(query: Query, accountId: string): Promise<AccountChannel[]> {
  const rows = await run(query, channelsOfAccount, [accountId]);
  return rows.map(({ createdAt, closedAt, failing, failingSince, pausedAt, ...row }) => ({
    ...row,
    state: endpointState({ closedAt, pausedAt, failing }),
    createdAt: createdAt.toISOString(),
    closedAt: iso(closedAt),
    failingSince: iso(failingSince),
    pausedAt: iso(pausedAt),
  }));
}

async function readBookings(query: Query, accountId: string): Promise<AccountBooking[]> {
  const rows = await run(query, bookingsOfAccount, [accountId, databaseTime()]);
  return rows.map((row) => ({ ...row, createdAt: row.createdAt.toISOString(), heldUntil: iso(row.heldUntil) }));
}

function iso(at: Date | null): string | null {
  return at === null ? null : at.toISOString();
}
