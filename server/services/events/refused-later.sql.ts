import { statement, text } from "@/server/db/statement";
import type { Reason } from "@/server/domain/trouble/reasons";

/** The reason of a write that was refused in the sandbox. */
export const REFUSED_FOR = "rejected" satisfies Reason;

/**
 * Returns SQL that notes the write of an event, $2 in the calendar $1, as one attempt at a provider would. Suspended: no
 * claim looks for a provider of it.
 */
const noted = (lastError: string, isRefused: boolean) => {
  const refusedAt = isRefused ? "t.now" : "NULL::timestamptz";
  return `INSERT INTO provider_writes (event_row, calendar_id, profile_id, account_id, removed_guests, suspended, attempts, last_error, refused_at, reverted_at, created_at)
SELECT $2, c.id, c.profile_id, c.account_id, '{}', true, 1, '${lastError}', ${refusedAt}, ${refusedAt}, t.now FROM calendars c, (SELECT clock_timestamp() AS now) t WHERE c.id = $1
ON CONFLICT (calendar_id, event_row) DO UPDATE SET attempts = excluded.attempts, last_error = excluded.last_error, refused_at = excluded.refused_at,
  reverted_at = excluded.reverted_at, created_at = excluded.created_at RETURNING id::text AS id`;
};

/** The provider refused the write, and reads say again what it has. */
export const refuseInSandbox = statement<{ id: string }>(noted(REFUSED_FOR, true), { id: text });

/** The provider could not be reached yet. */
export const holdInSandbox = statement<{ id: string }>(noted("down", false), { id: text });
