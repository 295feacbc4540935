import type { Database } from "@/server/db/client";
import { databaseTime } from "@/server/db/database-time";
import { log } from "@/server/log";

const MOST_TRIES = 10;
const FIRST_WAIT_S = 2;

/**
 * Puts off a signal whose handling threw, each time for longer; after ten times it stays where it is, never due, for staff to
 * look at. So it stops no other and is not forgotten.
 */
export async function setAside(
  db: Database,
  { id, accountId, error }: { id: string; accountId: string; error: unknown },
): Promise<void> {
  const [row] = await db.query<{ attempts: number }>(
    `UPDATE outbox SET attempts = attempts + 1, due_at = CASE WHEN attempts + 1 >= $3 THEN 'infinity'::timestamptz
  ELSE coalesce($2::timestamptz, clock_timestamp()) + make_interval(secs => $4 * 2 ^ attempts) END WHERE id = $1 RETURNING attempts`,
    [id, databaseTime(), MOST_TRIES, FIRST_WAIT_S],
  );
  if (!row) return;
  const facts = { signal: id, accountId, tries: row.attempts, err: error };
  if (row.attempts >= MOST_TRIES)
    log({ room: "webhooks" }).error(facts, "a signal could not be handled and was set aside");
  else log({ room: "webhooks" }).warn(facts, "a signal could not be handled and will be tried again");
}
