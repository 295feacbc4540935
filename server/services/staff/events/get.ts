import { z } from "zod";
import type { Database, Query } from "@/server/db/client";
import { runComposed } from "@/server/db/composed";
import { run } from "@/server/db/statement";
import { type EventKey, keyOf, keyOfEventId } from "@/server/domain/event-keys";
import type { Instant } from "@/server/domain/time/instant";
import { toLocal, zone } from "@/server/domain/time/zone";
import { spanInWords } from "@/server/domain/time/zoned-words";
import type { DeliveryFacts } from "@/server/domain/timeline/facts";
import { providerName } from "@/server/domain/wire-names";
import { providerLabel } from "@/server/providers/offered";
import { text } from "@/server/services/fields";
import { staffInput } from "@/server/services/input";
import { Refusal } from "@/server/services/refusal";
import { accountPage } from "@/server/services/staff/accounts/accounts.sql";
import { repetitionText } from "@/server/services/staff/accounts/failed-writes";
import { accountRow } from "@/server/services/staff/accounts/list";
import { deliveryFacts, readDeliveries } from "@/server/services/staff/accounts/timeline/read";
import { timelineChannels, timelineHead } from "@/server/services/staff/accounts/timeline/timeline.sql";
import {
  changesOfEvent,
  eventByUid,
  MOST_CHANGES_READ,
  MOST_SHOWN,
  refusalNotices,
  requestsOfEvent,
  type StoredEvent,
  type StoredEventChange,
  type StoredEventRequest,
} from "@/server/services/staff/events/events.sql";
import type { EventDetail, EventWrite } from "@/server/services/staff/events/shapes";
import { eventSteps } from "@/server/services/staff/events/steps";
import type { VisibleApplications } from "@/server/services/staff/procedure/scope";
import { scopedProcedure } from "@/server/services/staff/procedure/trpc";

/** Of how many changes by others the webhooks are searched for. */
const MOST_ANNOUNCED = 20;
/** How many uids of a series are looked up in the request log. */
const MOST_UIDS = 500;
/** A request may have been sent shortly before the event was there, by another clock. */
const BEFORE_MS = 60_000;
/** Within what time a webhook says that a write was refused. */
const NOTICED_WITHIN_MS = 3_600_000;

export const eventInput = staffInput(z.object({ id: text({ min: 1, max: 100 }) }));

/** Reads what happened to an event, by its uid. Throws not_found. */
export const getEvent = scopedProcedure
  .input(eventInput)
  .query(async ({ input: { id }, ctx: { db, scope, now } }): Promise<EventDetail> => {
    const event = await expectedEvent(db.query, id, scope.applications);
    const { accountId, calendarId } = event;
    const since = new Date(event.createdAt.getTime() - BEFORE_MS);
    const [[row], [head], channels, requests, changes] = await Promise.all([
      runComposed(db.query, accountPage, { id: accountId, limit: 1 }),
      run(db.query, timelineHead, [accountId]),
      run(db.query, timelineChannels, [accountId]),
      readRequests(db, event, since),
      run(db.query, changesOfEvent, [calendarId, event.id, since]),
    ]);
    if (!row || !head) throw new Refusal({ kind: "not_found" });
    const shown = changes.filter(hasTime).slice(0, MOST_SHOWN);
    const ids = channels.map((channel) => channel.id);
    const notices = await noticesOf(db.query, ids, event);
    const deliveries = await deliveriesAround(db.query, ids, [
      ...shown.filter(({ own }) => !own).slice(0, MOST_ANNOUNCED),
      ...(event.refusedAt ? [{ at: event.refusedAt }] : []),
    ]);
    const write = writeOf(event);
    const parts = { event, write, channels, deliveries, now, changes: shown, isWaiting: head.waiting > 0 };
    return {
      ...{ id: event.id, uid: event.uid, eventId: event.eventId, account: accountRow(row) },
      calendar: { id: calendarId, name: event.calendarName },
      provider: providerName("product", event.provider),
      providerLabel: providerLabel(event.provider, event.server),
      when: spanInWords(spanOf(event), event.tzid),
      repeats: repetitionText(event),
      day: dayOf(event),
      createdAt: event.createdAt.getTime(),
      deletedAt: ms(event.deletedAt),
      write,
      steps: eventSteps({ ...parts, requests: requests.slice(0, MOST_SHOWN), notices }),
      isCut:
        requests.length > MOST_SHOWN ||
        changes.length > MOST_SHOWN ||
        (changes[0]?.read ?? 0) >= MOST_CHANGES_READ ||
        shown.filter(({ own }) => !own).length > MOST_ANNOUNCED,
    };
  });

/** Reads an event of some applications by its uid. Throws not_found. */
export async function expectedEvent(query: Query, id: string, within: VisibleApplications): Promise<StoredEvent> {
  const [event] = await run(query, eventByUid, [id, within]);
  if (!event) throw new Refusal({ kind: "not_found" });
  return event;
}

/** Reads one more than are shown of the requests that wrote an event, and of those about its booking, which may be cancelled. */
async function readRequests(db: Database, event: StoredEvent, since: Date): Promise<StoredEventRequest[]> {
  const { query } = db;
  const keys = await keysOf(db, event);
  const found = await run(query, requestsOfEvent, [event.accountId, keys, since]);
  const booked = found.filter(({ endpoint }) => endpoint === "/v1/bookings").flatMap((request) => request.keys);
  if (booked.every((key) => keys.includes(key))) return found;
  return await run(query, requestsOfEvent, [event.accountId, [...keys, ...booked], since]);
}

async function keysOf({ prisma }: Database, event: StoredEvent): Promise<EventKey[]> {
  const { id, eventId, calendarId, accountId } = event;
  const uids = await prisma.occurrence.findMany({
    ...{ select: { uid: true }, where: { calendarId, masterId: id } },
    ...{ orderBy: { day: "asc" }, take: MOST_UIDS },
  });
  const ids = [id, ...uids.map(({ uid }) => uid), calendarId, accountId];
  return [...(eventId === null ? [] : [keyOfEventId(calendarId, eventId)]), ...ids.map(keyOf)];
}

/** Reads the deliveries around some times, each once. */
async function deliveriesAround(
  query: Query,
  channels: readonly string[],
  times: readonly { at: Date }[],
): Promise<DeliveryFacts[]> {
  const found = new Map<string, DeliveryFacts>();
  for (const { at } of times) {
    const rows = await readDeliveries(query, channels, { from: at, to: at });
    for (const row of rows) found.set(row.id, deliveryFacts(row));
  }
  return [...found.values()].sort((one, other) => one.createdAt - other.createdAt);
}

async function noticesOf(
  query: Query,
  channels: readonly string[],
  { refusedAt, uid }: StoredEvent,
): Promise<ReadonlySet<string>> {
  if (refusedAt === null || channels.length === 0) return new Set();
  const until = new Date(refusedAt.getTime() + NOTICED_WITHIN_MS);
  return new Set((await run(query, refusalNotices, [channels, uid, refusedAt, until])).map(({ id }) => id));
}

function writeOf({ writeId, ...event }: StoredEvent): EventWrite | null {
  if (writeId === null) return null;
  return {
    ...{ id: writeId, state: event.writeState, waitsForReconnect: event.waitsForReconnect },
    ...{ attempts: event.writeAttempts ?? 0, lastError: event.lastError },
    dueAt: event.refusedAt === null && event.writeState !== "suspended" ? ms(event.dueAt) : null,
  };
}

function spanOf({ starts, ends, allDay }: StoredEvent) {
  return { starts: starts.getTime() as Instant, ends: ends.getTime() as Instant, allDay };
}

function dayOf({ starts, allDay, calendarTzid }: StoredEvent): string {
  const at = starts.getTime() as Instant;
  const own = allDay ? null : zone(calendarTzid);
  return new Date(own ? toLocal(own, at) : at).toISOString().slice(0, 10);
}

const hasTime = (change: StoredEventChange): change is StoredEventChange & { at: Date } => change.at !== null;
const ms = (at: Date | null) => (at === null ? null : at.getTime());
