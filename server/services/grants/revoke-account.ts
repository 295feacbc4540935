import { cancelled } from "@/server/db/cancelled";
import type { Database, Query } from "@/server/db/client";

const cancelPending = `UPDATE deliveries SET ${cancelled("$2")} WHERE account_id = $1 AND state = 'pending'`;

const steps = [
  // Taken first, as writes take them: the other order would deadlock with a write.
  "SELECT id FROM calendars WHERE account_id = $1 ORDER BY id FOR UPDATE",
  // Codes before grants: an exchange that is under way is waited for, and the grant it made is seen.
  "DELETE FROM codes WHERE account_id = $1",
  "DELETE FROM grants WHERE account_id = $1",
  "DELETE FROM link_tokens WHERE account_id = $1",
  cancelPending,
  "UPDATE channels SET closed_at = $2, closed_by = 'revoke' WHERE account_id = $1 AND closed_at IS NULL",
  cancelPending, // those made until the channels were taken
  "DELETE FROM outbox WHERE account_id = $1",
  "DELETE FROM occurrences WHERE calendar_id IN (SELECT id FROM calendars WHERE account_id = $1)",
  "DELETE FROM events WHERE calendar_id IN (SELECT id FROM calendars WHERE account_id = $1)",
  "DELETE FROM calendars WHERE account_id = $1",
  "DELETE FROM profiles WHERE account_id = $1",
];

/**
 * Ends an account's grant ("States": channel closed by revoke, application calendar deleted): its tokens, provider
 * credentials, calendars and cached events go, its channels close. The account's row stays for staff.
 */
export async function revokeAccount(db: Database, accountId: string, now: number): Promise<void> {
  await db.transaction((query) => revokeWithin(query, accountId, now));
}

/** As `revokeAccount`, in a transaction. Gives whether there was something to end. */
export async function revokeWithin(query: Query, accountId: string, now: number): Promise<boolean> {
  if (!(await takeAccount(query, accountId, now))) return false;
  for (const step of steps) await query(step, step.includes("$2") ? [accountId, new Date(now)] : [accountId]);
  return true;
}

async function takeAccount(query: Query, accountId: string, now: number): Promise<boolean> {
  const taken = await query("UPDATE accounts SET revoked_at = $2 WHERE id = $1 AND revoked_at IS NULL RETURNING id", [
    accountId,
    new Date(now),
  ]);
  return taken.length > 0;
}
