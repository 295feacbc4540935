import type { Database, Query } from "@/server/db/client";
import { databaseTime } from "@/server/db/database-time";
import { isDatabaseTrouble } from "@/server/db/faults";
import { locks, tryLockOne } from "@/server/db/locks";
import { newId } from "@/server/db/new-id";
import { queryOne } from "@/server/db/query-one";
import {
  type Change,
  earliestNotified,
  type NotifiedChannel,
  notificationBody,
} from "@/server/domain/channels/notification";
import type { Instant } from "@/server/domain/time/instant";
import type { SignalKind } from "@/server/store/channels/outbox";
import { deadLetter, postpone } from "@/server/webhooks/dead-letter";
import {
  covers,
  type JoinInput,
  joinChanges,
  type PendingChange,
  pendingChanges,
} from "@/server/webhooks/join-changes";

const ACCOUNTS_AT_ONCE = 20;

export interface FannedOut {
  /** Accounts whose signals were processed, whether or not they created a delivery. */
  handled: number;
  /** When the next signal is due. Null: there is none. */
  next: Instant | null;
}

/**
 * Turns due signals into deliveries, account by account, each in one transaction. A channel gets at most one `change`, whatever the
 * number of changes ("Events", 2 and 6), and none while one is pending: the changes join it. An account that fails is postponed and
 * delays no other.
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
  const row = await queryOne<{ at: number | null }>(
    db.query,
    `SELECT date_part('epoch', min(due_at)) * 1000 AS at FROM outbox WHERE ${living}`,
  );
  return row.at as Instant | null;
}

async function attempt(db: Database, accountId: string): Promise<boolean> {
  try {
    return await db.transaction((query) => notifyAccount(query, accountId));
  } catch (error) {
    if (isDatabaseTrouble(error)) throw error;
    await postpone(db, { accountId, error });
    return true;
  }
}

interface SignalRow {
  id: string;
  kind: SignalKind;
  subject: string;
  /** `channel`: the only one to notify. */
  payload: { managed?: unknown; at?: unknown; channel?: unknown };
}

/**
 * Signals are read first, so that a channel opened in the meantime gets each signal that concerns it, and its verification is not
 * consumed unsent. Deliveries are locked before channels, as everywhere, and channels before signals, so that no delivery is created
 * for a channel that is being closed. All changes are processed together once the first of them is due. False: another process has
 * this account.
 */
async function notifyAccount(query: Query, accountId: string): Promise<boolean> {
  const lock = await queryOne<{ taken: boolean }>(query, tryLockOne, [locks.accountSignals, accountId]);
  if (!lock.taken) return false;
  const signals = await query<SignalRow>(taking, [accountId, databaseTime()]);
  const pending = signals.some(({ kind }) => kind === "change") ? await pendingChanges(query, accountId) : [];
  const channels = await openChannels(query, accountId);
  const unreadable = signals.filter(({ kind, payload }) => kind === "change" && typeof payload.at !== "number");
  if (unreadable.length > 0)
    await deadLetter(
      query,
      unreadable.map(({ id }) => id),
      accountId,
    );
  const read = signals.filter((signal) => !unreadable.includes(signal));
  const notified = channels.map((channel) => notify(channel, { signals: read, pending }));
  const made = notified.flatMap(({ deliveries }) => deliveries);
  const joining = notified.flatMap(({ joining }) => joining ?? []);
  if (made.length > 0) await insertDeliveries(query, made);
  if (joining.length > 0) await joinChanges(query, joining);
  await query("DELETE FROM outbox WHERE id = ANY ($1::bigint[])", [read.map(({ id }) => id)]);
  return signals.length > 0;
}

const taking = `WITH t AS (SELECT coalesce($2::timestamptz, clock_timestamp()) AS now)
SELECT id, kind, subject, payload FROM outbox, t WHERE account_id = $1 AND ${living} AND (due_at <= t.now OR (kind = 'change'
  AND EXISTS (SELECT FROM outbox o WHERE o.account_id = $1 AND o.kind = 'change' AND o.due_at <= t.now))) ORDER BY id`;

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
WHERE c.account_id = $1 AND c.closed_at IS NULL ORDER BY c.created_at, c.id FOR SHARE OF c`,
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

interface Notified {
  deliveries: NewDelivery[];
  /** Changes that wait for the end of a pending delivery. */
  joining: JoinInput | null;
}

interface Due {
  signals: readonly SignalRow[];
  pending: readonly PendingChange[];
}

function notify(channel: OpenChannel, { signals, pending }: Due): Notified {
  const others = signals.flatMap(({ kind, subject }) =>
    kind === "change" || (kind === "verification" && subject !== channel.id) ? [] : [delivery(channel, kind, null)],
  );
  const since = sinceOf(channel, signals);
  if (since === null) return { deliveries: others, joining: null };
  const one = pending.find(({ channelId }) => channelId === channel.id);
  if (one && one.attempts > 0) return { deliveries: others, joining: { id: one.id, since } };
  if (one && covers(one, since)) return { deliveries: others, joining: null };
  return { deliveries: [...others, delivery(channel, "change", since)], joining: null };
}

/** The earliest change that the channel is to be notified of. Null: there is none. */
function sinceOf(channel: OpenChannel, signals: readonly SignalRow[]): Instant | null {
  const earliest = earliestNotified(changesOf(signals), channel);
  const left = signals.flatMap(({ kind, payload }) =>
    kind === "change" && payload.channel === channel.id ? [Number(payload.at)] : [],
  );
  const times = earliest === null ? left : [...left, earliest];
  if (times.length === 0) return null;
  return Math.min(...times, channel.unnotifiedSince ?? Number.POSITIVE_INFINITY) as Instant;
}

function changesOf(signals: readonly SignalRow[]): Change[] {
  return signals.flatMap(({ kind, subject, payload }) =>
    kind === "change" && payload.channel === undefined
      ? [{ calendarId: subject, managed: payload.managed === true, at: Number(payload.at) as Instant }]
      : [],
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
    host: new URL(channel.callbackUrl).host.replace(/\.(?=:|$)/, ""),
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
