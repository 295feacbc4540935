import type { Database, Query } from "@/server/db/client";
import { databaseTime } from "@/server/db/database-time";
import { newId } from "@/server/db/new-id";
import type { SignalKind } from "@/server/db/outbox";
import {
  type Change,
  earliestNotified,
  type NotifiedChannel,
  notificationBody,
} from "@/server/domain/channels/notification";
import type { Instant } from "@/server/domain/time/instant";
import { setAside } from "@/server/webhooks/set-aside";

const ACCOUNTS_AT_ONCE = 20;
const ACCOUNT_LOCK = 7_302_620;

export interface FannedOut {
  /** Accounts whose signals became deliveries, or came to nothing. */
  handled: number;
  /** When the next signal is due; null: there is none. */
  next: Instant | null;
}

/**
 * Turns the signals that are due into deliveries, account by account, each in one transaction: at most one `change` for a
 * channel, whatever the number of changes ("Events", 2 and 6). What fails for one account is put off and stops no other.
 */
export async function fanOut(db: Database): Promise<FannedOut> {
  let handled = 0;
  for (;;) {
    const accounts = await dueAccounts(db);
    let taken = 0;
    for (const accountId of accounts) if (await attempt(db, accountId)) taken += 1;
    handled += taken;
    if (accounts.length === 0 || taken === 0) return { handled, next: await nextDue(db) };
  }
}

const notifying = "kind IN ('change', 'verification', 'profile_disconnected', 'profile_initial_sync_completed')";
const living = `${notifying} AND due_at < 'infinity'`;

async function dueAccounts(db: Database): Promise<string[]> {
  const rows = await db.query<{ account_id: string }>(
    `SELECT DISTINCT account_id FROM (SELECT account_id FROM outbox
WHERE ${notifying} AND due_at <= coalesce($1::timestamptz, clock_timestamp()) ORDER BY due_at LIMIT $2) due`,
    [databaseTime(), ACCOUNTS_AT_ONCE],
  );
  return rows.map(({ account_id }) => account_id);
}

async function nextDue(db: Database): Promise<Instant | null> {
  const [row] = await db.query<{ at: number | null }>(
    `SELECT date_part('epoch', min(due_at)) * 1000 AS at FROM outbox WHERE ${living}`,
  );
  return (row?.at ?? null) as Instant | null;
}

async function attempt(db: Database, accountId: string): Promise<boolean> {
  try {
    return await db.transaction((query) => notifyAccount(query, accountId));
  } catch {
    await oneByOne(db, accountId);
    return true;
  }
}

/** Finds the signal that cannot be handled, so that it stands aside alone. */
async function oneByOne(db: Database, accountId: string): Promise<void> {
  const signals = await db.query<{ id: string }>(
    `SELECT id FROM outbox WHERE account_id = $1 AND ${living} ORDER BY id`,
    [accountId],
  );
  for (const { id } of signals) {
    await db
      .transaction((query) => notifyAccount(query, accountId, id))
      .catch((error) => setAside(db, { id, accountId, error }));
  }
}

interface SignalRow {
  kind: SignalKind;
  subject: string;
  managed: boolean | null;
  at: number | null;
}

/** All signals of an account or one of them. False: another process is at this account, or has been. */
async function notifyAccount(query: Query, accountId: string, id: string | null = null): Promise<boolean> {
  const [lock] = await query<{ taken: boolean }>("SELECT pg_try_advisory_xact_lock($1, hashtext($2)) AS taken", [
    ACCOUNT_LOCK,
    accountId,
  ]);
  if (!lock?.taken) return false;
  const signals = await query<SignalRow>(
    `DELETE FROM outbox WHERE account_id = $1 AND ($2::bigint IS NULL OR id = $2) AND ${living} RETURNING kind, subject,
(payload->>'managed')::boolean AS managed, date_part('epoch', (payload->>'at')::timestamptz) * 1000 AS at`,
    [accountId, id],
  );
  const channels = await openChannels(query, accountId);
  const made = channels.flatMap((channel) => deliveriesTo(channel, signals));
  if (made.length > 0) await insertDeliveries(query, made);
  return signals.length > 0;
}

interface OpenChannel extends NotifiedChannel {
  accountId: string;
  applicationId: string;
  unnotifiedSince: number | null;
}

async function openChannels(query: Query, accountId: string): Promise<OpenChannel[]> {
  return await query<OpenChannel>(
    `SELECT c.id, c.account_id AS "accountId", a.application_id AS "applicationId", c.callback_url AS "callbackUrl",
CASE WHEN c.all_calendars THEN NULL ELSE c.calendar_ids END AS "calendarIds", c.only_managed AS "onlyManaged",
date_part('epoch', c.unnotified_since) * 1000 AS "unnotifiedSince"
FROM channels c JOIN accounts a ON a.id = c.account_id
WHERE c.account_id = $1 AND c.closed_at IS NULL ORDER BY c.created_at, c.id`,
    [accountId],
  );
}

interface NewDelivery {
  id: string;
  channel_id: string;
  account_id: string;
  application_id: string;
  type: string;
  body: string;
  host: string;
  changes_since: string | null;
}

function deliveriesTo(channel: OpenChannel, signals: readonly SignalRow[]): NewDelivery[] {
  const others = signals.flatMap(({ kind, subject }) =>
    kind === "change" || (kind === "verification" && subject !== channel.id) ? [] : [delivery(channel, kind, null)],
  );
  const earliest = earliestNotified(changesOf(signals), channel);
  if (earliest === null) return others;
  const since = Math.min(earliest, channel.unnotifiedSince ?? earliest) as Instant;
  return [...others, delivery(channel, "change", since)];
}

function changesOf(signals: readonly SignalRow[]): Change[] {
  return signals.flatMap(({ kind, subject, managed, at }) =>
    kind === "change" && at !== null ? [{ calendarId: subject, managed: managed ?? false, at: at as Instant }] : [],
  );
}

function delivery(channel: OpenChannel, type: SignalKind, since: Instant | null): NewDelivery {
  return {
    id: newId("whd"),
    channel_id: channel.id,
    account_id: channel.accountId,
    application_id: channel.applicationId,
    type,
    body: notificationBody(type, channel, since),
    host: new URL(channel.callbackUrl).host,
    changes_since: since === null ? null : new Date(since).toISOString(),
  };
}

async function insertDeliveries(query: Query, made: readonly NewDelivery[]): Promise<void> {
  await query(
    `INSERT INTO deliveries (id, channel_id, account_id, application_id, type, body, host, changes_since, created_at, next_attempt_at)
SELECT id, channel_id, account_id, application_id, type, body, host, changes_since, now, now
FROM jsonb_to_recordset($1::jsonb) AS d(id text, channel_id text, account_id text, application_id text, type text, body text,
  host text, changes_since timestamptz), (SELECT coalesce($2::timestamptz, clock_timestamp()) AS now) t`,
    [JSON.stringify(made), databaseTime()],
  );
}
