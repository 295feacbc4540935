import { z } from "zod";
import type { Query } from "@/server/db/client";
import { binding } from "@/server/db/composed";
import type { Provider, ProviderService } from "@/server/domain/providers";
import { providerName, serviceName } from "@/server/domain/wire-names";
import { text } from "@/server/services/fields";
import { Refusal } from "@/server/services/refusal";
import { accountRow, readAccounts } from "@/server/services/staff/accounts/list";
import { reconnectPath } from "@/server/services/staff/accounts/reconnect-path";
import type {
  AccountCalendar,
  AccountChannel,
  AccountDetail,
  AccountProfile,
  FailedWrite,
} from "@/server/services/staff/accounts/shapes";
import { staffInput } from "@/server/services/staff/staff-input";
import { staffProcedure } from "@/server/services/staff/trpc";
import { isGivenUpWrite } from "@/server/store/events/refused-write";

const MOST = 100;

/** One account with everything that is connected to it. Throws not_found. */
export const getAccount = staffProcedure
  .input(staffInput(z.object({ id: text({ min: 1, max: 100 }) })))
  .query(async ({ input: { id }, ctx: { db } }): Promise<AccountDetail> => {
    const bound = binding();
    const [[row], [rest], profiles, calendars, channels, failedWrites] = await Promise.all([
      readAccounts(db.query, `WHERE id = ${bound.put(id)}`, { bound, limit: 1 }),
      db.query<{ defaultTzid: string; waitingWrites: number }>(
        `SELECT default_tzid AS "defaultTzid", (SELECT count(*)::int FROM provider_writes WHERE account_id = a.id AND refused_at IS NULL)
  AS "waitingWrites" FROM accounts a WHERE id = $1`,
        [id],
      ),
      readProfiles(db.query, id),
      readCalendars(db.query, id),
      readChannels(db.query, id),
      readFailedWrites(db.query, id),
    ]);
    if (!row || !rest) throw new Refusal({ kind: "not_found" });
    return { ...accountRow(row), ...rest, profiles, calendars, channels, failedWrites };
  });

type Dated<Row, Field extends keyof Row> = Omit<Row, Field> & {
  [Name in Field]: Date | (null extends Row[Name] ? null : never);
};

interface ProfileRow
  extends Dated<Omit<AccountProfile, "reconnectPath">, "lastSyncAt" | "syncDueAt" | "createdAt" | "disconnectedAt"> {
  clientId: string;
  redirectUri: string | null;
}

async function readProfiles(query: Query, accountId: string): Promise<AccountProfile[]> {
  const rows = await query<ProfileRow>(profilesOf, [accountId]);
  return rows.map(({ lastSyncAt, syncDueAt, createdAt, disconnectedAt, clientId, redirectUri, ...row }) => {
    const provider = providerName("product", row.provider as Provider);
    const isReconnectable = !row.connected && redirectUri !== null;
    return {
      ...row,
      provider,
      service: serviceName("product", row.service as ProviderService),
      lastSyncAt: iso(lastSyncAt),
      syncDueAt: iso(syncDueAt),
      createdAt: createdAt.toISOString(),
      disconnectedAt: iso(disconnectedAt),
      reconnectPath: isReconnectable ? reconnectPath({ clientId, redirectUri, provider }) : null,
    };
  });
}

const profilesOf = `SELECT p.id, p.provider::text AS provider, p.service::text AS service, p.name, p.connected, p.disconnected_at AS "disconnectedAt",
  (SELECT count(*)::int FROM provider_writes w WHERE w.account_id = p.account_id AND w.profile_id = p.id AND w.refused_at IS NULL) AS "waitingWrites",
  p.initial_sync_required AS "initialSyncRequired", p.last_sync_at AS "lastSyncAt", p.sync_due_at AS "syncDueAt",
  p.sync_failures AS "syncFailures", p.sync_error AS "syncError", p.created_at AS "createdAt", a.client_id AS "clientId", r.uri AS "redirectUri"
FROM profiles p JOIN applications a ON a.id = p.application_id
LEFT JOIN LATERAL (SELECT uri FROM redirect_uris WHERE application_id = p.application_id
  ORDER BY uri NOT LIKE 'https:%', created_at, uri LIMIT 1) r ON true
WHERE p.account_id = $1 ORDER BY p.created_at, p.id`;

async function readCalendars(query: Query, accountId: string): Promise<AccountCalendar[]> {
  const rows = await query<Dated<AccountCalendar, "changedAt">>(
    `SELECT id, profile_id AS "profileId", name, readonly, deleted, "primary", tzid, changed_at AS "changedAt"
FROM calendars WHERE account_id = $1 ORDER BY deleted, number`,
    [accountId],
  );
  return rows.map((row) => ({ ...row, changedAt: row.changedAt.toISOString() }));
}

async function readChannels(query: Query, accountId: string): Promise<AccountChannel[]> {
  const rows = await query<Dated<AccountChannel, "createdAt" | "closedAt">>(
    `SELECT id, callback_url AS "callbackUrl", created_at AS "createdAt", closed_at AS "closedAt", closed_by AS "closedBy"
FROM channels WHERE account_id = $1 ORDER BY closed_at IS NOT NULL, created_at DESC, id LIMIT ${MOST}`,
    [accountId],
  );
  return rows.map((row) => ({ ...row, createdAt: row.createdAt.toISOString(), closedAt: iso(row.closedAt) }));
}

async function readFailedWrites(query: Query, accountId: string): Promise<FailedWrite[]> {
  const rows = await query<Dated<FailedWrite, "refusedAt" | "dueAt" | "createdAt">>(
    `SELECT w.id::text, w.calendar_id AS "calendarId", w.profile_id AS "profileId", e.event_id AS "eventId", w.attempts, w.last_error AS "lastError",
  w.refused_at AS "refusedAt", w.reverted_at IS NOT NULL AS undone, ${isGivenUpWrite("w")} AS "givenUp", CASE WHEN w.refused_at IS NULL THEN w.due_at END AS "dueAt", w.created_at AS "createdAt"
FROM provider_writes w JOIN events e ON e.id = w.event_row
WHERE w.account_id = $1 AND (w.refused_at IS NOT NULL OR w.last_error IS NOT NULL)
ORDER BY w.refused_at DESC NULLS LAST, w.created_at DESC LIMIT ${MOST}`,
    [accountId],
  );
  return rows.map((row) => ({
    ...row,
    refusedAt: iso(row.refusedAt),
    dueAt: iso(row.dueAt),
    createdAt: row.createdAt.toISOString(),
  }));
}

function iso(at: Date | null): string | null {
  return at === null ? null : at.toISOString();
}
