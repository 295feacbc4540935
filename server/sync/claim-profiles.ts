import { randomUUID } from "node:crypto";
import { clock } from "@/server/clock";
import type { Database } from "@/server/db/client";
import { databaseTime } from "@/server/db/database-time";
import { run, runOne } from "@/server/db/statement";
import type { Provider } from "@/server/domain/providers";
import { noteWaits } from "@/server/meters";
import { openLanes, soonest } from "@/server/sync/budgeted-slots";
import { claimPastOthers } from "@/server/sync/claim-past-others";
import {
  type ClaimedProfileRow,
  claimDueProfiles,
  claimFirstSyncs,
  nextProfile,
  renewProfileLease,
} from "@/server/sync/claim-profiles.sql";
import { LEASE_S } from "@/server/sync/lease";
import type { ProviderSlots } from "@/server/sync/provider-slots";
import type { Keys } from "@/server/work-loop";

/** A profile that this process has claimed for a sync. Everything written about it later must match the lease. */
export interface ClaimedProfile extends Omit<ClaimedProfileRow, "id" | "lost" | "sealedCredential"> {
  id: string;
  lease: string;
  sealedCredential: string;
}

/**
 * Claims profiles whose sync is due and not their first one, the longest due of each application first, as far as there are free slots. A claimed profile is
 * due again after its lease. If somebody requests an earlier sync, it is synced again at once.
 */
export function claimProfiles(db: Database, slots: readonly ProviderSlots[]): Promise<ClaimedProfile[]> {
  return claim(db, claimDueProfiles, slots, []);
}

/**
 * Claims as `claimProfiles` does, of profiles of which no sync was finished yet: they have slots of their own. `keys`: the
 * only profiles; null: all.
 */
export function claimNewProfiles(
  db: Database,
  slots: readonly ProviderSlots[],
  keys: Keys = null,
): Promise<ClaimedProfile[]> {
  return claim(db, claimFirstSyncs, slots, [keys && JSON.stringify(keys)]);
}

async function claim(
  db: Database,
  statement: typeof claimDueProfiles,
  slots: readonly ProviderSlots[],
  more: unknown[],
): Promise<ClaimedProfile[]> {
  if (slots.length === 0) return [];
  const lease = randomUUID();
  const most = Math.max(...slots.map((each) => each.most));
  const values = [databaseTime(), lease, JSON.stringify(slots), most, LEASE_S];
  const claimed = await claimPastOthers((others) => run(db.query, statement, [...values, others, ...more]));
  noteWaits("sync", claimed);
  return claimed.map((profile) => ({ lease, ...profile }));
}

/** Renews a claim. False: it is lost, or the profile was disconnected. */
export async function renewProfile(db: Database, { id, lease }: ClaimedProfile): Promise<boolean> {
  const rows = await run(db.query, renewProfileLease, [id, lease, databaseTime(), LEASE_S]);
  return rows.length > 0;
}

/** Reports whether the first sync of a profile is due or in progress. */
export async function isFirstSyncLeft(db: Database, id: string): Promise<boolean> {
  const now = new Date(clock().now());
  const isDue = { OR: [{ syncDueAt: { lte: now } }, { syncLeasedUntil: { gt: now } }] };
  return (
    (await db.prisma.profileSync.count({ where: { profileId: id, firstSync: true, readable: true, ...isDue } })) > 0
  );
}

/** Tells in how many milliseconds the next profile of these providers is due, or there is budget for it. Null: none. */
export async function nextProfileIn(db: Database, providers: readonly Provider[]): Promise<number | null> {
  const [others, first] = [openLanes(providers, "sync"), openLanes(providers, "first_sync")];
  const lanes = [...others.open, ...first.open];
  const isFirst = lanes.map((_, index) => index >= others.open.length);
  const row = await runOne(db.query, nextProfile, [databaseTime(), providers, lanes, isFirst]);
  return soonest(row.ms, others.inMs, first.inMs);
}
