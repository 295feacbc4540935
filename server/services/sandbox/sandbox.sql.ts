import { nullable, statement, text } from "@/server/db/statement";

export interface TargetEvent {
  id: string;
  /** Null: others created it. */
  eventId: string | null;
}

/** The event, not deleted, that the application calls $2, or that has an occurrence called $3. */
export const findTarget = statement<TargetEvent>(
  `SELECT id, event_id AS "eventId" FROM events WHERE calendar_id = $1 AND deleted_at IS NULL
  AND (event_id = $2 OR id = (SELECT master_id FROM occurrences WHERE uid = $3 AND calendar_id = $1))`,
  { id: text, eventId: nullable(text) },
);
