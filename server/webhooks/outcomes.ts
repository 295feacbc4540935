import type { Database, Query } from "@/server/db/client";
import { databaseTime } from "@/server/db/database-time";
import { run, runOne } from "@/server/db/statement";
import { wake } from "@/server/db/wake";
import { waitAfter } from "@/server/domain/channels/schedule";
import { findDeliveries } from "@/server/store/deliveries/days";
import { cancelDeliveries, closeChannels, storeAttempts, storeLateAttempts } from "@/server/webhooks/outcomes.sql";

/**
 * `again`: at the documented wait. `failed`: permanently. `gone`: the receiver responded 410, so its channel closes.
 */
export type Verdict = "delivered" | "again" | "failed" | "gone";

export interface Outcome {
  id: string;
  lease: string;
  attempt: number;
  /** How many attempts the schedule had made by then. */
  scheduled: number;
  manual: boolean;
  channelId: string;
  verdict: Verdict;
  status: number | null;
  /** `dns`, `connect`, `tls`, `timeout`, `blocked`, `reset`, `http`. Null with a response. */
  errorClass: string | null;
  address: string | null;
  startedAt: number;
  durationMs: number;
  responseHeaders: object | null;
  responseBody: string | null;
}

/**
 * Stores the outcomes of attempts, all or none. A delivery that another process has claimed since, or that staff
 * cancelled, keeps its state unless the receiver has accepted it. The channel's next delivery also announces the
 * changes of a permanently failed one. After a failed manual retry a delivery returns to its previous state. Changes
 * that waited for the end of a delivery get another one.
 */
export async function storeOutcomes(db: Database, outcomes: readonly Outcome[], random: () => number): Promise<void> {
  if ((await stored(db, outcomes, random)) > 0) wake("notify");
}

/** Stores outcomes and returns how many channels have changes left to announce. */
async function stored(db: Database, outcomes: readonly Outcome[], random: () => number): Promise<number> {
  const gone = outcomes.filter(({ verdict }) => verdict === "gone").map(({ channelId }) => channelId);
  if (gone.length === 0) return await store(db.query, { outcomes, random, commit: db.isServer ? "off" : null });
  return await db.transaction(async (query) => {
    const followed = await store(query, { outcomes, random, commit: null });
    await closeGone(query, gone);
    return followed;
  });
}

interface Storing {
  outcomes: readonly Outcome[];
  random: () => number;
  /**
   * The value of synchronous_commit. Null: as configured. `off` does not wait for the disk: nothing is lost if this
   * process dies. If the server crashes, at most the last half second is lost, and the claim has already set the next
   * attempt. The embedded database ends with this process and nobody else writes its log, so there the write waits.
   */
  commit: "off" | null;
}

async function store(query: Query, { outcomes, random, commit }: Storing): Promise<number> {
  const rows = outcomes.map((outcome) => ({
    id: outcome.id,
    lease: outcome.lease,
    number: outcome.attempt,
    verdict: outcome.verdict,
    manual: outcome.manual,
    wait: waitAfter(outcome.scheduled, random()),
    status: outcome.status,
    error: outcome.errorClass,
    address: outcome.address,
    started: new Date(outcome.startedAt).toISOString(),
    ms: Math.round(outcome.durationMs),
    headers: outcome.responseHeaders,
    body: outcome.responseBody,
  }));
  rows.sort((one, other) => (one.id < other.id ? -1 : 1)); // locked in the same order everywhere
  const { n, elsewhere } = await runOne(query, storeAttempts, [databaseTime(), JSON.stringify(rows), commit]);
  let followed = n;
  await findDeliveries(elsewhere, async (ids, { from, before }) => {
    const late = JSON.stringify(rows.filter(({ id }) => ids.includes(id)));
    const stored = await runOne(query, storeLateAttempts, [databaseTime(), late, commit, from, before]);
    followed += stored.n;
    return ids.filter((id) => !stored.elsewhere.includes(id)).map((id) => ({ id }));
  });
  return followed;
}

/**
 * Closes the channels of receivers that respond 410: "Channel, open, callback answers 410: closed, no more
 * notifications" ("States and transitions"). Deliveries are locked before channels, as everywhere. Deliveries created
 * before the channel was locked are cancelled afterwards.
 */
async function closeGone(query: Query, channels: readonly string[]): Promise<void> {
  for (const statement of [cancelDeliveries, closeChannels, cancelDeliveries]) {
    await run(query, statement, [channels, databaseTime()]);
  }
}
