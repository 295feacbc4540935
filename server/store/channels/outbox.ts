import type { Query } from "@/server/db/client";
import { databaseTime } from "@/server/db/database-time";
import { run } from "@/server/db/statement";
import { wake } from "@/server/db/wake";
import { type ChangedBy, isNotified } from "@/server/domain/channels/notification";
import { type NotificationType, notificationTypeNames } from "@/server/domain/channels/notification-types";
import { insertSignal } from "@/server/store/channels/outbox.sql";
import { tracing } from "@/server/tracing";

/** "Several changes close together (about one second) are sent as one notification" ("Events", 2). */
const COALESCING_MS = 1_000;

/** SQL for the signals that become notifications. The index of due signals has the same condition. */
export const notifyingSignals = `kind IN (${notificationTypeNames.map((type) => `'${type}'`).join(", ")})`;

export interface Signal {
  kind: Exclude<NotificationType, "change">;
  accountId: string;
  /** The channel or the profile that the signal concerns. */
  subject: string;
  payload: object;
}

export interface ChangeSignal {
  by: ChangedBy;
  accountId: string;
  calendarId: string;
  /** Whether the application wrote the changed event. */
  managed: boolean;
  /** The time in milliseconds since 1970, rounded down: the value that a read compares last_modified with. */
  at: number;
}

/** Writes a signal in the transaction of its cause. Call `wake("notify")` after the commit. */
export async function putSignal(query: Query, { kind, accountId, subject, payload }: Signal): Promise<void> {
  await run(query, insertSignal, [kind, accountId, subject, JSON.stringify(withTrace(payload)), databaseTime(), 0]);
}

/** Signals a change in a calendar, in that change's transaction, if it must be notified. Call `wakeForChange` after the commit. */
export async function putChange(query: Query, { by, accountId, calendarId, managed, at }: ChangeSignal): Promise<void> {
  if (!isNotified(by)) return;
  const payload = JSON.stringify(withTrace({ managed, at }));
  await run(query, insertSignal, ["change", accountId, calendarId, payload, databaseTime(), COALESCING_MS / 1000]);
}

/** Adds the span of the cause, for the deliveries that follow from it (ADR 48). */
function withTrace(payload: object): object {
  const trace = tracing()?.current();
  return trace ? { ...payload, trace } : payload;
}

/**
 * Returns SQL that notifies a channel of changes that waited for the end of its last notification: one signal for each
 * row of `source` that has a `since`. Rows have account_id, channel_id, since and now. Call `wake("notify")` after the
 * commit.
 */
export const followUps = (source: string) => `INSERT INTO outbox (kind, account_id, subject, payload, due_at)
  SELECT 'change', account_id, channel_id, jsonb_build_object('channel', channel_id, 'at', round(date_part('epoch', since) * 1000)), now
  FROM (${source}) f WHERE since IS NOT NULL RETURNING id`;

/** Schedules a wake-up for the end of the second in which further changes join. */
export function wakeForChange(): void {
  wake("notify", COALESCING_MS);
}
