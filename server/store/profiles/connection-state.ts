import type { Database } from "@/server/db/client";
import { databaseTime } from "@/server/db/database-time";
import { wake } from "@/server/db/wake";
import { putSignal } from "@/server/store/channels/outbox";
import { suspendWrites } from "@/server/store/provider-writes/suspend";

/**
 * Marks a profile as one that the user must reconnect, and notifies the account's channels ("Profile, connected: provider refuses
 * access or password revoked"). Its waiting writes are suspended. Returns false, and notifies nobody, when it was disconnected already
 * or no longer exists.
 */
export function disconnectProfile(db: Database, profileId: string): Promise<boolean> {
  const set = "connected = false, disconnected_at = coalesce($2::timestamptz, clock_timestamp())";
  return changeState(db, profileId, { set, values: [databaseTime()], when: "connected", kind: "profile_disconnected" });
}

/**
 * Marks a profile's first sync as finished, and notifies the account's channels ("Profile, initial sync required: first sync
 * finishes"). Returns false, and notifies nobody, when it was finished already or the profile no longer exists.
 */
export function completeInitialSync(db: Database, profileId: string): Promise<boolean> {
  const kind = "profile_initial_sync_completed";
  return changeState(db, profileId, {
    set: "initial_sync_required = false",
    values: [],
    when: "initial_sync_required",
    kind,
  });
}

interface StateChange {
  set: string;
  /** The values of `set`, from $2 on. */
  values: readonly unknown[];
  when: string;
  kind: "profile_disconnected" | "profile_initial_sync_completed";
}

async function changeState(
  db: Database,
  profileId: string,
  { set, values, when, kind }: StateChange,
): Promise<boolean> {
  const isTurned = await db.transaction(async (query) => {
    if (kind === "profile_disconnected") await query(takeAccount, [profileId]);
    const [profile] = await query<{ account_id: string }>(
      `UPDATE profiles SET ${set} WHERE id = $1 AND ${when} RETURNING account_id`,
      [profileId, ...values],
    );
    if (!profile) return false;
    if (kind === "profile_disconnected") await suspendWrites(query, profileId);
    await putSignal(query, { kind, accountId: profile.account_id, subject: profileId, payload: {} });
    return true;
  });
  if (isTurned) wake("notify");
  return isTurned;
}

/** Locks the account first, as a revocation does: a disconnection locks the profile before its calendars, a revocation after them. */
const takeAccount = `SELECT FROM accounts a JOIN profiles p ON p.account_id = a.id WHERE p.id = $1 FOR NO KEY UPDATE OF a`;
