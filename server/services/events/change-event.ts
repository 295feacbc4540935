import type { Query } from "@/server/db/client";
import { databaseFault } from "@/server/db/faults";
import { newId } from "@/server/db/new-id";
import { run } from "@/server/db/statement";
import { wake } from "@/server/db/wake";
import { guestIssues } from "@/server/domain/calendars/guest-rules";
import type { EventState } from "@/server/domain/events/event-state";
import type { Issue } from "@/server/domain/issues";
import { isFaulty } from "@/server/domain/text";
import type { Instant } from "@/server/domain/time/instant";
import { isRefusal, Refusal } from "@/server/services/refusal";
import type { AccountContext } from "@/server/services/trpc";
import type { CalendarToWrite } from "@/server/store/calendars/calendars.sql";
import type { EventToWrite, Planned, ReadToWrite } from "@/server/store/event-writes/event-write";
import { forgetWrites, guessedToWrite, rememberWrite } from "@/server/store/event-writes/growing-calendars";
import { queueValues } from "@/server/store/event-writes/queue-values";
import { fits, readToWrite, writeEvent } from "@/server/store/event-writes/write-event";
import { lockLivingEvent } from "@/server/store/event-writes/write-event.sql";
import { lockCalendarRow } from "@/server/store/events/continue-series.sql";
import { sameContent } from "@/server/store/events/event-record";
import { plannedInsert, plannedUpdate } from "@/server/store/events/event-rows";

export interface EventChange {
  calendarId: string;
  body: {
    event_id: string;
    notify_attendees: boolean;
  };
}

/** The event after the write, or what becomes of it instead. */
export type Decision = { state: EventState; ownTexts?: readonly string[] } | "deleted" | "unchanged";

/** Decides what becomes of an event, null where there is no such event, and throws what the write is refused with. `ownTexts`: which texts the last write set. */
type Decide = (before: EventState | null, calendar: CalendarToWrite, ownTexts: readonly string[] | null) => Decision;

/** How often a write that met others is repeated before it locks the event. */
const TRIES = 3;

/**
 * One write of the application to an event: reads it, stores what `decide` makes of it and queues it for the calendar's provider, in one
 * statement that does nothing if the event was written since it was read. Then all of that is repeated, at last under a lock (ADR 38). Throws
 * not_found and read_only for the calendar. Where only new events were written, the first attempt takes the event for new, unread.
 */
export async function changeEvent(ctx: AccountContext, change: EventChange, decide: Decide): Promise<void> {
  if (isFaulty(change.calendarId)) throw new Refusal({ kind: "not_found" });
  let outcome = await guess(ctx, { query: ctx.db.query, change, decide });
  for (let i = 0; i < TRIES && outcome === "conflict"; i++)
    outcome = await attempt(ctx, { query: ctx.db.query, change, decide }).catch(conflictOf);
  if (outcome === "conflict" || outcome === "too_large") outcome = await underLock(ctx, change, decide);
  if (outcome === "queued") wake("push");
}

/** `too_large`: its occurrences need several statements, and so a transaction. */
type Outcome = "unchanged" | "written" | "queued" | "conflict" | "too_large";

interface Attempt {
  query: Query;
  change: EventChange;
  decide: Decide;
  isInTransaction?: boolean;
}

async function attempt(ctx: AccountContext, { query, change, decide, isInTransaction }: Attempt): Promise<Outcome> {
  const event = eventOf(ctx, change);
  const read = await readToWrite(query, event);
  if (!read) throw new Refusal({ kind: "not_found" });
  if (read.calendar.readonly) throw new Refusal({ kind: "read_only" });
  const outcome = await carryOut(ctx, { query, event, read, change, decide, isInTransaction });
  if (isCarriedOut(outcome) || (outcome === "unchanged" && read.living)) rememberWrite(event, read);
  return outcome;
}

/** A guess that is wrong shows in nothing: neither what it refuses nor what it finds unchanged counts. */
async function guess(ctx: AccountContext, { query, change, decide }: Attempt): Promise<Outcome> {
  const event = eventOf(ctx, change);
  const read = guessedToWrite(event);
  if (!read) return "conflict";
  const outcome = await carryOut(ctx, { query, event, read, change, decide }).catch((error) => {
    if (isRefusal(error)) return "conflict";
    return conflictOf(error);
  });
  if (isCarriedOut(outcome)) return outcome;
  if (outcome === "conflict") forgetWrites(event);
  return "conflict";
}

const isCarriedOut = (outcome: Outcome) => outcome === "written" || outcome === "queued";

function eventOf({ bearer }: AccountContext, { calendarId, body }: EventChange): EventToWrite {
  return { calendarId, accountId: bearer.accountId, eventId: body.event_id };
}

/** What was read, or guessed, becomes what `decide` says. */
async function carryOut(
  ctx: AccountContext,
  given: Attempt & { event: EventToWrite; read: ReadToWrite },
): Promise<Outcome> {
  const { query, event, read, change, decide, isInTransaction } = given;
  const before = read.living?.state ?? null;
  const known = read.living?.ownTexts ?? null;
  const decision = decide(before, read.calendar, known);
  if (decision === "unchanged") return "unchanged";
  const { state: after, ownTexts = known } = decision === "deleted" ? { state: null } : decision;
  if (before === null ? after === null : after !== null && sameContent(before, after)) return "unchanged";
  const id = read.living?.id ?? newId("evt");
  const planned = await plannedWrite(query, { id, read, after, now: ctx.now as Instant });
  if (!isInTransaction && !fits(planned)) return "too_large";
  const { provider } = read.calendar;
  const { notify_attendees: notify } = change.body;
  const queue = queueValues(provider, { eventRow: id, before, after, notify });
  if (!(await writeEvent(ctx.db, query, { id, read, planned, ownTexts, queue, isInTransaction, ...event })))
    return "conflict";
  return queue ? "queued" : "written";
}

interface ToPlan {
  id: string;
  read: ReadToWrite;
  after: EventState | null;
  now: Instant;
}

async function plannedWrite(query: Query, { id, read, after, now }: ToPlan): Promise<Planned> {
  if (after === null) return { kind: "delete" };
  if (read.living) return await plannedUpdate(query, read.living, { calendarId: read.calendar.id, state: after, now });
  return { kind: "insert", ...(await plannedInsert(id, after, now)) };
}

/** The calendar first, as everywhere, so that writes in it go one after another; the row of the event because a push writes to it without. */
async function underLock(ctx: AccountContext, change: EventChange, decide: Decide): Promise<Outcome> {
  const { calendarId, body } = change;
  return await ctx.db.transaction(async (query) => {
    await run(query, lockCalendarRow, [calendarId]);
    await run(query, lockLivingEvent, [calendarId, body.event_id]);
    const outcome = await attempt(ctx, { query, change, decide, isInTransaction: true });
    if (outcome === "conflict") throw new Error("a locked event was written by others");
    return outcome;
  });
}

/** A deadlock is a conflict too: nothing was written. */
function conflictOf(error: unknown): "conflict" {
  if (databaseFault(error) === "collision") return "conflict";
  throw error;
}

/** What the calendar has against a write that leaves an event's guests as they are. */
export function keptGuestIssues(
  { attendees }: EventState,
  { provider, invites }: CalendarToWrite,
  { notify_attendees: notify }: EventChange["body"],
): Issue[] {
  return guestIssues({ provider, invites, change: null, before: attendees, guests: attendees, notify });
}
