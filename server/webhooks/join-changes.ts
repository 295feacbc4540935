import { clock } from "@/server/clock";
import type { Query } from "@/server/db/client";
import { databaseTime } from "@/server/db/database-time";
import { run } from "@/server/db/statement";
import { wake } from "@/server/db/wake";
import { GIVEN_UP_AFTER_MS } from "@/server/domain/channels/schedule";
import type { Instant } from "@/server/domain/time/instant";
import { CLOCKS_APART_MS } from "@/server/store/deliveries/days";
import { joinPending, lockPendingChanges, type PendingChange } from "@/server/webhooks/fan-out.sql";

const SECOND_MS = 1_000;

/**
 * Locks and returns the newest pending `change` of each channel of these accounts, except one that is pending only
 * because staff retry it, or that will not be attempted again.
 */
export async function pendingChanges(query: Query, accounts: readonly string[]): Promise<PendingChange[]> {
  return await run(query, lockPendingChanges, [accounts, databaseTime()]);
}

/** Checks that a read with the body's `changes_since` also returns the changes since then. */
export function covers({ since: bodySince }: PendingChange, since: Instant): boolean {
  return Math.floor(bodySince / SECOND_MS) * SECOND_MS <= since;
}

export interface JoinInput {
  id: string;
  since: Instant;
}

/**
 * Makes changes wait for the end of a delivery that was already attempted. That delivery cannot announce them: its
 * receiver may have read before they came, and may know its id. A delivery with a long wait before its retry gets an
 * attempt outside the schedule.
 */
export async function joinChanges(query: Query, joining: readonly JoinInput[]): Promise<void> {
  const rows = joining.map(({ id, since }) => ({ id, since: new Date(since).toISOString() }));
  const attemptedFrom = new Date(clock().now() - GIVEN_UP_AFTER_MS - CLOCKS_APART_MS);
  await run(query, joinPending, [JSON.stringify(rows), databaseTime(), attemptedFrom]);
  wake("deliver");
}
