import { isDeepStrictEqual } from "node:util";
import type { Database, Query } from "@/server/db/client";
import type { EventState } from "@/server/domain/events/event-state";
import type { Instant } from "@/server/domain/time/instant";
import type { Owner } from "@/server/services/bookings/owner";
import { spansOf } from "@/server/services/bookings/spans";
import type { EventBody } from "@/server/services/events/write/input";
import { nextState, ownTextsOf } from "@/server/services/events/write/next-state";
import { invalid, isRefusal, Refusal } from "@/server/services/refusal";
import type { ReadToWrite } from "@/server/store/event-writes/event-write";
import { lockEvent, readToWrite, writeEvent } from "@/server/store/event-writes/write-event";
import { sameContent } from "@/server/store/events/event-record";

/** An event that is booked, before it is written. */
export interface BookedEvent {
  calendarId: string;
  eventId: string;
  owner: Owner;
  body: EventBody;
  read: ReadToWrite;
  after: EventState;
}

interface ToRead {
  calendarId: string;
  owner: Owner;
  body: EventBody;
}

/**
 * Reads what an event will say. Throws not_found and read_only for the calendar, and 422 at `event` for what the calendar
 * can't carry out.
 */
export async function readBooked(query: Query, { calendarId, owner, body }: ToRead): Promise<BookedEvent> {
  const eventId = body.event_id;
  const read = await readToWrite(query, { calendarId, accountId: owner.accountId, eventId });
  if (!read) throw new Refusal({ kind: "not_found" });
  if (read.calendar.readonly) throw new Refusal({ kind: "read_only" });
  const { living, calendar } = read;
  const before = living?.state ?? null;
  const after = placed("event", () =>
    nextState(body, before, { owner: owner.person, ...calendar }, living?.ownTexts ?? null),
  );
  return { calendarId, eventId, owner, body, read, after };
}

/** Runs what refuses fields of an event, and names them where the request has them. */
function placed<Result>(field: string, work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    if (!isRefusal(error) || error.reason.kind !== "invalid") throw error;
    throw invalid(...error.reason.issues.map((issue) => ({ ...issue, path: [field, ...issue.path] })));
  }
}

/** Reads it in a transaction that has locked the calendar, and locks the event too. */
export async function lockBooked(query: Query, asked: ToRead): Promise<BookedEvent> {
  await lockEvent(query, asked.calendarId, asked.body.event_id);
  return await readBooked(query, asked);
}

/** Checks whether an event is where its booking would put it: at the same times, and as busy. */
export async function isInPlace({ owner, read, after }: BookedEvent, now: Instant): Promise<boolean> {
  const { living } = read;
  if (!living || living.state.transparency !== after.transparency) return false;
  const times = async (state: EventState) => (await spansOf(living.id, state, { zone: owner.zone, now })).spans;
  const [are, would] = await Promise.all([times(living.state), times(after)]);
  return isDeepStrictEqual(are, would);
}

/** Writes a locked event. Returns whether its provider has to be told. */
export async function writeBooked(
  db: Database,
  query: Query,
  { booked, eventRow, now }: { booked: BookedEvent; eventRow: string; now: Instant },
): Promise<boolean> {
  const { calendarId, eventId, owner, body, read, after } = booked;
  if (read.living && sameContent(read.living.state, after)) return false;
  const event = { calendarId, eventId, accountId: owner.accountId, id: eventRow };
  const ownTexts = ownTextsOf(body);
  const notify = body.notify_attendees;
  const outcome = await writeEvent(db, query, { ...event, read, after, ownTexts, notify, now, isLocked: true });
  if (outcome === "conflict") throw new Error("a locked event was written by others");
  return outcome === "queued";
}
