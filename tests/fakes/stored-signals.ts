import { db } from "@/server/db/client";
import { databaseTime } from "@/server/db/database-time";

/** What waits in the outbox of an account, the oldest first. */
export async function signalsOf(accountId: string) {
  return await db().prisma.outbox.findMany({
    where: { accountId },
    orderBy: { id: "asc" },
    select: { kind: true, subject: true, payload: true },
  });
}

/** When the account's signals are tried next: infinity if never. */
export async function signalTries(accountId: string): Promise<{ attempts: number; due_at: string }[]> {
  return await db().query("SELECT attempts, due_at::text FROM outbox WHERE account_id = $1", [accountId]);
}

/** A signal that is not tried before it is due: null if never. */
export async function addSignal(
  accountId: string,
  { kind, subject = "one", dueAt = new Date() }: { kind: string; subject?: string; dueAt?: Date | null },
): Promise<void> {
  const values = [accountId, kind, subject, dueAt ?? "infinity"];
  await db().query("INSERT INTO outbox (account_id, kind, subject, due_at) VALUES ($1, $2, $3, $4)", values);
}

/** The signals of an account, else all, are due by the clock now. */
export async function setSignalsDue(accountId: string | null = null): Promise<void> {
  await db().query(
    "UPDATE outbox SET due_at = coalesce($2::timestamptz, clock_timestamp()) WHERE account_id = coalesce($1, account_id)",
    [accountId, databaseTime()],
  );
}

/** Changes what the account's signals carry, or only its oldest. */
export async function setPayload(accountId: string, payload: object, { onlyOldest = false } = {}): Promise<void> {
  await db().query(
    `UPDATE outbox SET payload = payload || $2::jsonb
WHERE account_id = $1 AND (NOT $3 OR id = (SELECT min(id) FROM outbox WHERE account_id = $1))`,
    [accountId, JSON.stringify(payload), onlyOldest],
  );
}

export async function dropSignals(accountId: string): Promise<void> {
  await db().prisma.outbox.deleteMany({ where: { accountId } });
}
