import { db } from "@/server/db/client";
import { databaseTime } from "@/server/db/database-time";
import type { Prisma, ProviderWrite } from "@/server/db/generated/client";

type Changes = Prisma.ProviderWriteUncheckedUpdateManyInput;

/** `changedFields` null: all of the event, or unknown. */
export type StoredWrite = Omit<ProviderWrite, "id" | "changedFields" | "dueAt"> & {
  id: string;
  changedFields: string[] | null;
  dueAt: Date;
  isDue: boolean;
};

/** The writes that the provider does not have yet, of a calendar, a profile or an account, in the order in which they were made. */
export async function storedWrites(ownerId: string): Promise<StoredWrite[]> {
  return await db().query<StoredWrite>(
    `SELECT id, event_row AS "eventRow", calendar_id AS "calendarId", profile_id AS "profileId", account_id AS "accountId", name, revision, notify,
  removed_guests AS "removedGuests", changed_fields AS "changedFields", remote_change_deferred AS "remoteChangeDeferred", suspended, attempts,
  due_at AS "dueAt", due_at <= clock_timestamp() AS "isDue", lease, leased_until AS "leasedUntil", last_error AS "lastError", refused_at AS "refusedAt",
  reverted_at AS "revertedAt", created_at AS "createdAt"
FROM provider_writes WHERE $1 IN (calendar_id, profile_id, account_id) ORDER BY id`,
    [ownerId],
  );
}

/** The one write that waits there. */
export async function storedWrite(ownerId: string): Promise<StoredWrite> {
  const [only, ...others] = await storedWrites(ownerId);
  if (!only || others.length > 0) throw new Error("there is not exactly one write");
  return only;
}

/** Of a calendar, a profile or an account, or of one event of it. */
function writesOf(ownerId: string, eventId?: string): Prisma.ProviderWriteWhereInput {
  const owners = [{ calendarId: ownerId }, { profileId: ownerId }, { accountId: ownerId }];
  return { OR: owners, ...(eventId && { event: { eventId } }) };
}

export async function changeWrites(ownerId: string, changes: Changes, eventId?: string): Promise<void> {
  await db().prisma.providerWrite.updateMany({ where: writesOf(ownerId, eventId), data: changes });
}

/** As the provider's refusal, or the end of the attempts, leaves them. */
export async function refuseWrites(
  ownerId: string,
  reason: string,
  { eventId, ...more }: Changes & { eventId?: string } = {},
): Promise<void> {
  await changeWrites(ownerId, { refusedAt: new Date(), lastError: reason, ...more }, eventId);
}

/** As if the provider had them. */
export async function dropWrites(ownerId: string, eventId?: string): Promise<void> {
  await db().prisma.providerWrite.deleteMany({ where: writesOf(ownerId, eventId) });
}

/** Hands the account's writes to other profiles in turn, due since an hour. */
export async function spreadWrites(accountId: string, profileIds: readonly string[]): Promise<void> {
  await db().query(
    `UPDATE provider_writes SET profile_id = ($2::text[])[1 + id % array_length($2::text[], 1)], due_at = clock_timestamp() - interval '1 hour'
WHERE account_id = $1`,
    [accountId, profileIds],
  );
}

/** The profile's writes that no process has claimed are due by the clock now. */
export async function setWritesDueNow(profileId: string): Promise<void> {
  await db().query(
    "UPDATE provider_writes SET due_at = coalesce($2::timestamptz, clock_timestamp()) - interval '1 s' WHERE profile_id = $1 AND leased_until IS NULL",
    [profileId, databaseTime()],
  );
}
