import type { z } from "zod";
import type { Query } from "@/server/db/client";
import { isFaulty } from "@/server/domain/text";
import { type Input, inputOf, rawInput } from "@/server/services/input";
import { Refusal } from "@/server/services/refusal";
import { lockedCalendar } from "@/server/store/calendars/locked-calendar";

export interface OnCalendar<Body> {
  calendarId: string;
  body: Body;
}

/** Builds the input of a write to one calendar: its id from the path, and a body that is read first. */
export function onCalendar<S extends z.ZodType>(schema: S): Input<OnCalendar<z.output<S>>> {
  const body = inputOf(schema);
  return rawInput((raw) => {
    const { calendar_id, body: sent } = raw as { calendar_id: string; body: unknown };
    return { calendarId: calendar_id, body: body(sent) };
  });
}

/**
 * Takes the calendar for the rest of the transaction, so that its writes happen one after another and the times in its
 * rows only grow. Throws not_found for a calendar the account does not have, read_only for one that may not be written.
 */
export async function lockCalendar(query: Query, { calendarId, accountId }: { calendarId: string; accountId: string }) {
  if (isFaulty(calendarId)) throw new Refusal({ kind: "not_found" });
  const calendar = await lockedCalendar(query, { calendarId, accountId });
  if (!calendar) throw new Refusal({ kind: "not_found" });
  if (calendar.readonly) throw new Refusal({ kind: "read_only" });
  return calendar;
}
