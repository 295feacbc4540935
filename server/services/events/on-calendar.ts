import type { z } from "zod";
import type { Query } from "@/server/db/client";
import type { Provider } from "@/server/domain/providers";
import { isFaulty } from "@/server/domain/text";
import { type Input, inputOf, rawInput } from "@/server/services/input";
import { Refusal } from "@/server/services/refusal";

export interface OnCalendar<Body> {
  calendarId: string;
  body: Body;
}

/** The input of a write to one calendar: its id from the path, and a body that is read first. */
export function onCalendar<S extends z.ZodType>(schema: S): Input<OnCalendar<z.output<S>>> {
  const body = inputOf(schema);
  return rawInput((raw) => {
    const { calendar_id, body: sent } = raw as { calendar_id: string; body: unknown };
    return { calendarId: calendar_id, body: body(sent) };
  });
}

export interface LockedCalendar {
  id: string;
  provider: Provider;
  /** It adds meeting links of its own. */
  integratedConferencing: boolean;
}

/**
 * Takes the calendar for the rest of the transaction, so that its writes happen one after another and the times in its
 * rows only grow. Throws not_found for a calendar the account does not have, read_only for one that may not be written.
 */
export async function lockCalendar(query: Query, { calendarId, accountId }: { calendarId: string; accountId: string }) {
  if (isFaulty(calendarId)) throw new Refusal({ kind: "not_found" });
  const [calendar] = await query<LockedCalendar & { readonly: boolean }>(
    `SELECT c.id, c.readonly, p.provider, c.integrated_conferencing AS "integratedConferencing" FROM calendars c JOIN profiles p ON p.id = c.profile_id
WHERE c.id = $1 AND c.account_id = $2 FOR NO KEY UPDATE OF c`,
    [calendarId, accountId],
  );
  if (!calendar) throw new Refusal({ kind: "not_found" });
  if (calendar.readonly) throw new Refusal({ kind: "read_only" });
  return calendar;
}

/**
 * SQL that gives the calendar's next change time as `stamp.changed_at`: the database's clock, later than any before it in this
 * calendar. `coveredUntil` is a placeholder: how far the occurrences written with it reach.
 */
export function stamp(coveredUntil: string): string {
  return `stamp AS (UPDATE calendars SET changed_at = greatest(clock_timestamp(), changed_at + interval '1 microsecond'),
covered_until = least(covered_until, ${coveredUntil}::timestamptz) WHERE id = $1 RETURNING changed_at)`;
}
