import type { Database, Query } from "@/server/db/client";
import { databaseTime } from "@/server/db/database-time";
import { isDatabaseTrouble } from "@/server/db/faults";
import { locks } from "@/server/db/locks";
import { tryLockOne } from "@/server/db/locks.sql";
import { newId } from "@/server/db/new-id";
import { run, runOne } from "@/server/db/statement";
import { type Change, earliestNotified, notificationBody } from "@/server/domain/channels/notification";
import type { NotificationType } from "@/server/domain/channels/notification-types";
import type { Instant } from "@/server/domain/time/instant";
import { deadLetter, postpone } from "@/server/webhooks/dead-letter";
import {
  dropSignals,
  dueAccounts,
  insertDeliveries,
  lockOpenChannels,
  nextSignal,
  type OpenChannel,
  type PendingChange,
  type SignalRow,
  signalsOfAccount,
} from "@/server/webhooks/fan-out.sql";
import { covers, type JoinInput, joinChanges, pendingChanges } from "@/server/webhooks/join-changes";

const ACCOUNTS_AT_ONCE = 20;

/**
 * Turns due signals into deliveries, account by account, each in one transaction. A channel gets at most one `change`, whatever the
 * number of changes ("Events", 2 and 6), and none while one is pending: the changes join it. An account that fails is postponed and
 * delays no other. Gives how many accounts' signals were processed, whether or not they created a delivery.
 */
export async function fanOut(db: Database): Promise<number> {
  let handled = 0;
  for (;;) {
    const accounts = await run(db.query, dueAccounts, [databaseTime(), ACCOUNTS_AT_ONCE]);
    let taken = 0;
    for (const { account_id } of accounts) if (await attempt(db, account_id)) taken += 1;
    handled += taken;
    if (accounts.length === 0 || taken === 0) return handled;
  }
}

/** In how many milliseconds the next signal is due; 0 or less for one that is due. Null: there is none. */
export async function nextSignalIn(db: Database): Promise<number | null> {
  const row = await runOne(db.query, nextSignal, [databaseTime()]);
  return row.ms;
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

/**
 * Signals are read first, so that a channel opened in the meantime gets each signal that concerns it, and its verification is not
 * consumed unsent. Deliveries are locked before channels, as everywhere, and channels before signals, so that no delivery is created
 * for a channel that is being closed. All changes are processed together once the first of them is due. False: another process has
 * this account.
 */
async function notifyAccount(query: Query, accountId: string): Promise<boolean> {
  const lock = await runOne(query, tryLockOne, [locks.accountSignals, accountId]);
  if (!lock.taken) return false;
  const signals = await run(query, signalsOfAccount, [accountId, databaseTime()]);
  const pending = signals.some(({ kind }) => kind === "change") ? await pendingChanges(query, accountId) : [];
  const channels = await run(query, lockOpenChannels, [accountId]);
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
  if (made.length > 0) await run(query, insertDeliveries, [JSON.stringify(made), databaseTime()]);
  if (joining.length > 0) await joinChanges(query, joining);
  await run(query, dropSignals, [read.map(({ id }) => id)]);
  return signals.length > 0;
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

function delivery(channel: OpenChannel, type: NotificationType, since: Instant | null): NewDelivery {
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
