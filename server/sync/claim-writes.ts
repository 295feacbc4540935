import { randomUUID } from "node:crypto";
import type { Database } from "@/server/db/client";
import { databaseTime } from "@/server/db/database-time";
import { run, runOne } from "@/server/db/statement";
import { type Provider, providerTraits } from "@/server/domain/providers";
import { noteWaits } from "@/server/meters";
import { openLanes, soonest } from "@/server/sync/budgeted-slots";
import { claimPastOthers } from "@/server/sync/claim-past-others";
import { type ClaimedWriteRow, claimDueWrites, nextWrite, renewWriteLease } from "@/server/sync/claim-writes.sql";
import { LEASE_S } from "@/server/sync/lease";
import type { ProviderSlots } from "@/server/sync/provider-slots";

/** Limits the writes to one account at a time, over all processes: its reader makes one request at a time beside them. */
const mailboxWrites = (provider: Provider) => providerTraits[provider].requestsAtATime - 1;

/** An event that this process has claimed for a write to its provider. Everything written about it later must match the lease. */
export interface ClaimedWrite extends Omit<ClaimedWriteRow, "id" | "lost" | "removedGuests" | "sealedCredential"> {
  id: string;
  lease: string;
  removedGuests: string[];
  sealedCredential: string;
}

/**
 * Claims due writes, the longest due of each application first, as far as there are free slots. A claimed write is due again after its
 * lease, so a process that dies loses nothing.
 */
export async function claimWrites(db: Database, slots: readonly ProviderSlots[]): Promise<ClaimedWrite[]> {
  if (slots.length === 0) return [];
  const lease = randomUUID();
  const most = Math.max(...slots.map((each) => each.most));
  const limited = slots.map((each) => ({ ...each, mailboxWrites: mailboxWrites(each.provider) }));
  const values = [databaseTime(), lease, JSON.stringify(limited), most, LEASE_S];
  const claimed = await claimPastOthers((others) => run(db.query, claimDueWrites, [...values, others]));
  noteWaits("push", claimed);
  return claimed.map(({ removedGuests, ...write }) => ({ removedGuests: removedGuests ?? [], lease, ...write }));
}

/** Renews a claim. False: it is lost. */
export async function renewWrite(db: Database, { id, lease }: ClaimedWrite): Promise<boolean> {
  const rows = await run(db.query, renewWriteLease, [id, lease, databaseTime(), LEASE_S]);
  return rows.length > 0;
}

/** Tells in how many milliseconds the next write to these providers is due, or there is budget for it. Null: none. */
export async function nextWriteIn(db: Database, providers: readonly Provider[]): Promise<number | null> {
  const { open, inMs } = openLanes(providers, "write");
  const row = await runOne(db.query, nextWrite, [databaseTime(), providers, open]);
  return soonest(row.ms, inMs);
}
