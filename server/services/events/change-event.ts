import type { Query } from "@/server/db/client";
import { wake } from "@/server/db/wake";
import { guestIssues } from "@/server/domain/calendars/guest-rules";
import type { EventState } from "@/server/domain/events/event-state";
import type { Issue } from "@/server/domain/issues";
import { isFaulty } from "@/server/domain/text";
import type { Instant } from "@/server/domain/time/instant";
import type { OnCalendar } from "@/server/services/events/on-calendar";
import { refusedLater } from "@/server/services/events/refused-later";
import { Refusal } from "@/server/services/refusal";
import type { AccountContext } from "@/server/services/trpc";
import type { CalendarToWrite } from "@/server/store/calendars/calendars.sql";
import {
  conflictOf,
  lockToWrite,
  readToWrite,
  type WriteOutcome,
  writeEvent,
} from "@/server/store/event-writes/write-event";
import { sameContent } from "@/server/store/events/event-record";

type EventChange = OnCalendar<{ event_id: string; notify_attendees: boolean }>;

/** The event after the write, null where there is none, and which texts the application has set, if the write says so. */
interface Decision {
  state: EventState | null;
  ownTexts?: readonly string[];
}

/** Decides what becomes of an event, null where there is none, and throws what the write is refused with. */
type Decide = (before: EventState | null, calendar: CalendarToWrite, ownTexts: readonly string[] | null) => Decision;

/**
 * Carries out one write of the application: reads the event, decides, and writes in one statement that does nothing if the event or its
 * calendar changed in between; then once more under a lock (ADR 38). Throws not_found and read_only for the calendar.
 */
export async function changeEvent(ctx: AccountContext, change: EventChange, decide: Decide): Promise<void> {
  if (isFaulty(change.calendarId)) throw new Refusal({ kind: "not_found" });
  const { calendarId, body } = change;
  await refusedLater(ctx, { calendarId, eventId: body.event_id }, async () => {
    let outcome = await attempt(ctx, { change, decide, query: ctx.db.query, isLocked: false }).catch(conflictOf);
    if (outcome === "conflict") outcome = await attemptLocked(ctx, change, decide);
    if (outcome === "queued") wake("push");
  });
}

interface Attempt {
  change: EventChange;
  decide: Decide;
  query: Query;
  isLocked: boolean;
}

async function attempt(
  ctx: AccountContext,
  { change, decide, query, isLocked }: Attempt,
): Promise<WriteOutcome | "unchanged"> {
  const { event_id, notify_attendees: notify } = change.body;
  const event = { calendarId: change.calendarId, accountId: ctx.bearer.accountId, eventId: event_id };
  const read = await readToWrite(query, event);
  if (!read) throw new Refusal({ kind: "not_found" });
  if (read.calendar.readonly) throw new Refusal({ kind: "read_only" });
  const before = read.living?.state ?? null;
  const textsBefore = read.living?.ownTexts ?? null;
  const { state: after, ownTexts = textsBefore } = decide(before, read.calendar, textsBefore);
  if (before === after || (before && after && sameContent(before, after))) return "unchanged";
  const now = ctx.now as Instant;
  return await writeEvent(ctx.db, query, { read, after, ownTexts, notify, now, isLocked, ...event });
}

async function attemptLocked(ctx: AccountContext, change: EventChange, decide: Decide) {
  return await ctx.db.transaction(async (query) => {
    await lockToWrite(query, change.calendarId, change.body.event_id);
    const outcome = await attempt(ctx, { change, decide, query, isLocked: true });
    if (outcome === "conflict") throw new Error("a locked event was written by others");
    return outcome;
  });
}

/** Gives what the calendar has against a write that leaves an event's guests as they are. */
export function keptGuestIssues(
  { attendees }: EventState,
  { provider, invites }: CalendarToWrite,
  { notify_attendees: notify }: EventChange["body"],
): Issue[] {
  return guestIssues({ provider, invites, change: null, before: attendees, guests: attendees, notify });
}
