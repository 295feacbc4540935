import type { Database, Query } from "@/server/db/client";
import { databaseTime } from "@/server/db/database-time";
import { isDatabaseTrouble } from "@/server/db/faults";
import { locks } from "@/server/db/locks";
import { tryLockOne } from "@/server/db/locks.sql";
import { newId } from "@/server/db/new-id";
import { run, runOne } from "@/server/db/statement";
import { hostOf } from "@/server/domain/channels/endpoint";
import { type Change, earliestNotified, notificationBody } from "@/server/domain/channels/notification";
import type { NotificationType } from "@/server/domain/channels/notification-types";
import { groupedBy } from "@/server/domain/grouped-by";
import type { Instant } from "@/server/domain/time/instant";
import { noteWaits } from "@/server/meters";
import { deadLetter, postpone } from "@/server/webhooks/dead-letter";
import { traceOf } from "@/server/webhooks/delivery-trace";
import {
  claimAccounts,
  dropSignals,
  insertDeliveries,
  lockOpenChannels,
  nextSignal,
  type OpenChannel,
  type PendingChange,
  type SignalRow,
  signalsOfAccounts,
} from "@/server/webhooks/fan-out.sql";
import { fireTriggers } from "@/server/webhooks/firing";
import { covers, type JoinInput, joinChanges, pendingChanges } from "@/server/webhooks/join-changes";
import type { NewDelivery } from "@/server/webhooks/new-delivery";

/** The most accounts that share a transaction and its statements. */
const ACCOUNTS_AT_ONCE = 50;

type Handled = Omit<FanOut, "claimed">;
const none: Handled = { handled: 0, notified: [] };

/**
 * Turns the due signals of some accounts into deliveries, in a transaction, alongside other processes: no two hold the
 * same account. A channel gets at most one `change`, whatever the number of changes ("Events", 2 and 6), and none while one
 * is pending: the changes join it. An account that fails is postponed and delays no other. Claims none when nothing is due, or
 * others hold it.
 */
export async function fanOutSome(db: Database): Promise<FanOut> {
  let accounts: string[] = [];
  try {
    return await db.transaction(async (query) => {
      const claimed = await run(query, claimAccounts, [databaseTime(), locks.accountSignals, ACCOUNTS_AT_ONCE]);
      noteWaits("notify", claimed);
      accounts = claimed.map(({ accountId }) => accountId);
      const notified = accounts.length === 0 ? none : await notifyAccounts(query, accounts);
      return { claimed: accounts.length, ...notified };
    });
  } catch (error) {
    if (isDatabaseTrouble(error) || accounts.length === 0) throw error;
    return await oneByOne(db, accounts);
  }
}

/**
 * Turns all due signals into deliveries, as `fanOutSome` does. Returns how many accounts' signals were processed, whether
 * or not they created a delivery.
 */
export async function fanOut(db: Database): Promise<number> {
  let handled = 0;
  for (;;) {
    const some = await fanOutSome(db);
    handled += some.handled;
    if (some.claimed === 0) return handled;
  }
}

/** Returns the milliseconds until the next signal is due, 0 or less for one that is due. Null: there is none. */
export async function nextSignalIn(db: Database): Promise<number | null> {
  const row = await runOne(db.query, nextSignal, [databaseTime()]);
  return row.ms;
}

/** How many accounts a transaction was about. */
export interface FanOut {
  claimed: number;
  /** How many of them had signals: other processes may just have processed the rest. */
  handled: number;
  /** The application of each delivery that was created. */
  notified: readonly string[];
}

/** Processes accounts separately, so that one that fails affects no other. */
async function oneByOne(db: Database, accounts: readonly string[]): Promise<FanOut> {
  const each: Handled[] = [];
  for (const accountId of accounts) each.push(await alone(db, accountId));
  const handled = each.reduce((sum, one) => sum + one.handled, 0);
  return { claimed: accounts.length, handled, notified: each.flatMap(({ notified }) => notified) };
}

/** Processes one account. Handles none if another process holds it by now. */
async function alone(db: Database, accountId: string): Promise<Handled> {
  try {
    return await db.transaction(async (query) => {
      const lock = await runOne(query, tryLockOne, [locks.accountSignals, accountId]);
      return lock.taken ? await notifyAccounts(query, [accountId]) : none;
    });
  } catch (error) {
    if (isDatabaseTrouble(error)) throw error;
    await postpone(db, { accountId, error });
    return { handled: 1, notified: [] };
  }
}

/**
 * Notifies accounts. Signals are read first, so that a channel opened in the meantime gets each signal that concerns
 * it, and its verification is not consumed unsent. Deliveries are locked before channels, as everywhere, and channels
 * before signals, so that no delivery is created for a channel that is being closed. All changes of an account are
 * processed together once the first of them is due.
 */
async function notifyAccounts(query: Query, accounts: readonly string[]): Promise<Handled> {
  const signals = await run(query, signalsOfAccounts, [accounts, databaseTime()]);
  const fired = await fireTriggers(query, signals);
  const changed = new Set(signals.flatMap(({ kind, accountId }) => (kind === "change" ? [accountId] : [])));
  const pending = changed.size > 0 ? await pendingChanges(query, [...changed]) : [];
  const channels = await run(query, lockOpenChannels, [accounts]);
  const read = signals.filter((signal) => signal.kind !== "trigger" && isReadable(signal));
  const unreadable = signals.filter((signal) => !isReadable(signal));
  for (const [accountId, some] of byAccount(unreadable)) await deadLetter(query, idsOf(some), accountId);
  const readOf = byAccount(read);
  const pendingOf = new Map(pending.map((one) => [one.channelId, one]));
  const notified = channels.map((channel) =>
    notify(channel, { signals: readOf.get(channel.accountId) ?? [], pending: pendingOf.get(channel.id) }),
  );
  const made = [...fired, ...notified.flatMap(({ deliveries }) => deliveries)];
  const joining = notified.flatMap(({ joining }) => joining ?? []);
  if (made.length > 0) await run(query, insertDeliveries, [JSON.stringify(made), databaseTime()]);
  if (joining.length > 0) await joinChanges(query, joining);
  await run(query, dropSignals, [idsOf(read)]);
  return { handled: byAccount(signals).size, notified: made.map((one) => one.application_id) };
}

function isReadable({ kind, payload }: SignalRow): boolean {
  return kind !== "change" || typeof payload.at === "number";
}

function byAccount(signals: readonly SignalRow[]): Map<string, SignalRow[]> {
  return groupedBy(signals, ({ accountId }) => accountId);
}

const idsOf = (signals: readonly SignalRow[]) => signals.map(({ id }) => id);

interface Notified {
  deliveries: NewDelivery[];
  /** Changes that wait for the end of a pending delivery. */
  joining: JoinInput | null;
}

interface Due {
  signals: readonly SignalRow[];
  /** The channel's pending change. */
  pending: PendingChange | undefined;
}

function notify(channel: OpenChannel, { signals, pending: one }: Due): Notified {
  const others = signals.flatMap((signal) =>
    isFor(signal, channel) ? [delivery(channel, { type: signal.kind, since: null, causes: [signal] })] : [],
  );
  const since = sinceOf(channel, signals);
  if (since === null) return { deliveries: others, joining: null };
  if (one && one.attempts > 0) return { deliveries: others, joining: { id: one.id, since } };
  if (one && covers(one, since)) return { deliveries: others, joining: null };
  const change = delivery(channel, { type: "change", since, causes: signals.filter((one) => concerns(one, channel)) });
  return { deliveries: [...others, change], joining: null };
}

/** Reports whether a signal, which is no change, is one for the channel. */
function isFor({ kind, subject, payload }: SignalRow, { id, writeRefused, calendarIds }: OpenChannel): boolean {
  if (kind === "verification") return subject === id;
  if (kind === "write_refused")
    return writeRefused && (calendarIds?.includes(payload.refused?.calendar_id ?? "") ?? true);
  return kind !== "change" && kind !== "trigger";
}

/** Finds the earliest change that the channel is to be notified of, or null. */
function sinceOf(channel: OpenChannel, signals: readonly SignalRow[]): Instant | null {
  const earliest = earliestNotified(changesOf(signals), channel);
  const left = signals.flatMap(({ kind, payload }) =>
    kind === "change" && payload.channel === channel.id ? [Number(payload.at)] : [],
  );
  const times = earliest === null ? left : [...left, earliest];
  if (times.length === 0) return null;
  return Math.min(...times, channel.unnotifiedSince ?? Number.POSITIVE_INFINITY) as Instant;
}

/** Reports whether the channel is notified of a signal as a change. */
function concerns(signal: SignalRow, channel: OpenChannel): boolean {
  if (signal.kind !== "change") return false;
  return signal.payload.channel === channel.id || earliestNotified(changesOf([signal]), channel) !== null;
}

function changesOf(signals: readonly SignalRow[]): Change[] {
  return signals.flatMap(({ kind, subject, payload }) =>
    kind === "change" && payload.channel === undefined
      ? [{ calendarId: subject, managed: payload.managed === true, at: Number(payload.at) as Instant }]
      : [],
  );
}

interface DeliveryInput {
  type: NotificationType;
  since: Instant | null;
  causes: readonly SignalRow[];
}

function delivery(channel: OpenChannel, { type, since, causes }: DeliveryInput): NewDelivery {
  return {
    id: newId("whd"),
    channel_id: channel.id,
    account_id: channel.accountId,
    application_id: channel.applicationId,
    type,
    body: notificationBody(type, channel, since, causes[0]?.payload.refused),
    host: hostOf(channel.callbackUrl),
    changes_since: since === null ? null : new Date(since).toISOString(),
    ...(channel.paused && { held: true }),
    ...traceOf(causes),
  };
}
