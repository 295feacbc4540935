import type { Database, Query } from "@/server/db/client";
import { putChange, wakeForChange } from "@/server/db/outbox";
import type { EventState } from "@/server/domain/events/event-state";
import type { Instant } from "@/server/domain/time/instant";
import { livingForeign } from "@/server/services/events/state";
import { deleteEvent, insertEvent, updateEvent } from "@/server/services/events/write/stored";

/** An event as a connector hands it over; a cancelled one counts as gone. */
export interface ReceivedEvent {
  /** The provider's own name for it, unique in the calendar. */
  externalId: string;
  state: EventState;
}

export interface Received {
  calendarId: string;
  events: readonly ReceivedEvent[];
  /** The provider's names of events that are no longer there. */
  gone: readonly string[];
  now: Instant;
}

/** What could not be taken, of an event or as a whole; the rest was. `reason` names the kind of fault and never quotes the event. */
export interface ReceivingFault {
  externalId: string;
  reason: string;
}

/**
 * The sync door: takes events of others into a calendar as its provider tells them. Each is a transaction of its own, so that
 * one bad event never stops a calendar. What says the same as before is not written; what differs is signalled to the
 * application's channels in the same transaction ("Events"), but for a profile's first sync, whose end is.
 */
export async function receiveEvents(
  db: Database,
  { calendarId, events, gone, now }: Received,
): Promise<ReceivingFault[]> {
  const faults: ReceivingFault[] = [];
  let signalled = false;
  const take = async (externalId: string, work: Work) => {
    try {
      const { problems, isSignalled } = await db.transaction((query) =>
        change(query, { calendarId, externalId }, work),
      );
      faults.push(...problems.map((reason) => ({ externalId, reason })));
      signalled ||= isSignalled;
    } catch (error) {
      faults.push({ externalId, reason: reasonOf(error) });
    }
  };
  for (const { externalId, state } of events) {
    if (state.status === "cancelled") await take(externalId, (query) => remove(query, calendarId, externalId));
    else await take(externalId, (query) => store(query, { calendarId, eventId: null, externalId, now }, state));
  }
  for (const externalId of gone) await take(externalId, (query) => remove(query, calendarId, externalId));
  if (signalled) wakeForChange();
  return faults;
}

type Work = (query: Query) => Promise<readonly string[]>;
type ForeignTarget = Parameters<typeof insertEvent>[1] & { externalId: string };
type ForeignName = Pick<ForeignTarget, "calendarId" | "externalId">;

async function change(query: Query, { calendarId, externalId }: ForeignName, work: Work) {
  const [before] = await query<{ at: string | null }>(
    "SELECT changed_at::text AS at FROM calendars WHERE id = $1 FOR NO KEY UPDATE",
    [calendarId],
  );
  const problems = await work(query);
  const [changed] = await query<{ accountId: string; managed: boolean; at: number }>(
    `SELECT c.account_id AS "accountId", floor(date_part('epoch', c.changed_at) * 1000) AS at,
  EXISTS (SELECT FROM events e WHERE e.calendar_id = c.id AND e.external_id = $2 AND e.event_id IS NOT NULL) AS managed
FROM calendars c JOIN profiles p ON p.id = c.profile_id
WHERE c.id = $1 AND c.changed_at IS DISTINCT FROM $3::timestamptz AND NOT p.initial_sync_required`,
    [calendarId, externalId, before?.at ?? null],
  );
  if (changed) await putChange(query, { calendarId, ...changed });
  return { problems, isSignalled: changed !== undefined };
}

async function store(query: Query, target: ForeignTarget, state: EventState): Promise<readonly string[]> {
  const living = await livingForeign(query, target.calendarId, target.externalId);
  return living ? updateEvent(query, target, living, state) : insertEvent(query, target, state);
}

async function remove(query: Query, calendarId: string, externalId: string): Promise<readonly string[]> {
  const living = await livingForeign(query, calendarId, externalId);
  if (living) await deleteEvent(query, calendarId, living.id);
  return [];
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return "unknown";
  return "code" in error && typeof error.code === "string" ? error.code : error.name;
}
