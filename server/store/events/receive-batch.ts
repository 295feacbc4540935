import { isDeepStrictEqual } from "node:util";
import type { Query } from "@/server/db/client";
import { run, runOne } from "@/server/db/statement";
import { receivedConferencing } from "@/server/domain/events/conferencing";
import type { EventState } from "@/server/domain/events/event-state";
import { hiddenTexts } from "@/server/domain/events/hidden-texts";
import { withOwnSpelling } from "@/server/domain/events/own-spelling";
import { type Provider, providerTraits } from "@/server/domain/providers";
import type { Instant } from "@/server/domain/time/instant";
import { slices } from "@/server/event-loop";
import type { KnownVersion } from "@/server/providers/connector";
import type { EventParts } from "@/server/providers/writing";
import { noteBookingConflicts } from "@/server/store/bookings/conflicts";
import { putChange } from "@/server/store/channels/outbox";
import { completesWrite } from "@/server/store/events/completes-write";
import { sameContent } from "@/server/store/events/event-record";
import { deleteEvents, updateEvent } from "@/server/store/events/event-rows";
import { stampMillis } from "@/server/store/events/events.sql";
import { insertMany, type NewEvent, partsColumn } from "@/server/store/events/insert-many";
import { type KnownEvent, knownEvents } from "@/server/store/events/known-events";
import {
  agreeOnSeries,
  dropWritesOfEvents,
  forgetChangedFields,
  lockReceivingCalendar,
  renameEvents,
} from "@/server/store/events/received.sql";
import {
  beforeRefusal,
  type KeepsSeries,
  keepOwnSpelling,
  withOwnReply,
  withRemoteReplies,
  withReplies,
} from "@/server/store/events/received-state";

/** A provider's report of one event. `state` null: it is deleted. */
export interface RemoteChange {
  externalId: string;
  version: string | null;
  parts: EventParts;
  createdAs: string | null;
  hasMoreGuests: boolean;
  state: EventState | null;
}

export interface Batch {
  calendarId: string;
  /** Each concerns a different event. */
  changes: readonly RemoteChange[];
  now: Instant;
  keepsSeries: KeepsSeries;
  seen?: ReadonlyMap<string, KnownVersion>;
  since: string | null;
  /** An event may have been read differently although its version is known. */
  isReread?: boolean;
}

/**
 * What could not be stored, of an event or as a whole. Everything else was stored. `reason` names the kind of fault and never quotes
 * the event.
 */
interface Problem {
  externalId: string;
  reason: string;
  /**
   * A push was stored since the provider was queried, or is in progress. This is not an error, but only another full
   * pull can determine the current state.
   */
  isPassing?: boolean;
}

export interface BatchResult {
  problems: Problem[];
  isSignalled: boolean;
}

/** The action for one event. */
type Step =
  | { kind: "nothing" }
  /** The event may have been read before a push, or changed after it. While the push is in progress, this is unknown. */
  | { kind: "later"; externalId: string }
  | { kind: "insert"; event: NewEvent }
  | { kind: "update"; known: KnownEvent; change: RemoteChange; state: EventState }
  | { kind: "delete"; known: KnownEvent }
  /** The state is the same, but the provider's name or etag differs. */
  | { kind: "name"; known: KnownEvent; change: RemoteChange }
  /** The event to delete is gone already. */
  | { kind: "settle"; known: KnownEvent };

/** Stores a provider's reports of some events of a calendar, in the caller's transaction, and signals what others have changed. */
export async function receiveBatch(query: Query, batch: Batch): Promise<BatchResult> {
  const calendar = await lockReceiving(query, batch.calendarId);
  if (!calendar || batch.changes.length === 0) return { problems: [], isSignalled: false };
  const names = batch.changes.map(({ externalId }) => externalId);
  const createdAs = new Map(batch.changes.flatMap((one) => (one.createdAs ? [[one.externalId, one.createdAs]] : [])));
  const known = await knownEvents(query, batch.calendarId, { externalIds: names, createdAs, since: batch.since });
  const steps: Step[] = [];
  const pause = slices();
  for (const change of batch.changes) {
    const own = known.get(change.externalId);
    const shown = calendar.access === "free_busy" ? withoutTexts(change) : change;
    steps.push(stepOf(own ? withKnownRest(shown, own, calendar.provider) : shown, own, batch));
    await pause();
  }
  await settleDeletions(query, batch.calendarId, steps);
  await rename(query, batch.calendarId, steps);
  const deferred = steps.flatMap((step) => (step.kind === "later" ? [step.externalId] : []));
  const problems: Problem[] = deferred.map((externalId) => ({
    externalId,
    reason: "pushed",
    isPassing: true,
  }));
  const changes = steps.flatMap(changeOf);
  const isWritten = steps.some(({ kind }) => kind === "insert" || kind === "update" || kind === "delete");
  const at = isWritten ? await stampNow(query, batch.calendarId) : 0;
  if (isWritten) problems.push(...(await write(query, batch, steps)));
  await storeAgreedSeries(query, batch.calendarId, steps);
  if (changes.length === 0 || calendar.isFirstSync) return { problems, isSignalled: false };
  const signal = { by: "others" as const, accountId: calendar.accountId, calendarId: batch.calendarId, at };
  await noteBookingConflicts(query, { calendarId: batch.calendarId, since: at });
  for (const managed of new Set(changes)) await putChange(query, { ...signal, managed });
  return { problems, isSignalled: true };
}

/** Drops what an event says, of a profile whose user has allowed no more than free/busy. */
function withoutTexts(change: RemoteChange): RemoteChange {
  return { ...change, state: change.state && hiddenTexts(change.state), hasMoreGuests: false };
}

/** Completes a change of which the provider sends only a part: a long description, or many guests. */
function withKnownRest(change: RemoteChange, known: KnownEvent, provider: Provider): RemoteChange {
  if (change.state === null) return change;
  const { state: own, refusedFields } = known;
  const { attendees: listed } = change.state;
  const attendees = change.hasMoreGuests
    ? withRemoteReplies(beforeRefusal(own.attendees, refusedFields), listed, [])
    : listed;
  return { ...change, state: { ...withOwnSpelling(own, change.state, providerTraits[provider]), attendees } };
}

/** Locks a calendar for the rest of the transaction. Returns undefined when it does not exist. */
export async function lockReceiving(query: Query, calendarId: string) {
  const [calendar] = await run(query, lockReceivingCalendar, [calendarId]);
  return calendar;
}

function stepOf(change: RemoteChange, known: KnownEvent | undefined, batch: Batch): Step {
  const { keepsSeries, seen, isReread = false } = batch;
  const { externalId, version, parts, state } = change;
  if (isOlder(change, known, seen)) return { kind: "later", externalId };
  if (!known || (known.isDeleted && !known.isUnpushed)) {
    if (state === null) return { kind: "nothing" };
    const eventId = known?.eventId ?? null;
    const content = known && eventId !== null ? keepOwnSpelling(known.state, state, keepsSeries) : state;
    return { kind: "insert", event: { eventId, externalId, version, parts, state: content } };
  }
  const isKnown = !isReread && known.externalId !== null && version !== null && sameVersion(change, known);
  if (state !== null && !known.isDeleted && isKnown) return { kind: "nothing" };
  if (known.isBeingPushed && !(known.isDeleted && state === null)) return { kind: "later", externalId };
  if (state === null) return goneStep(change, known);
  if (known.isDeleted) return { kind: "name", known, change };
  const next = nextState(known, state, keepsSeries);
  return sameContent(known.state, next)
    ? { kind: "name", known, change }
    : { kind: "update", known, change, state: next };
}

/** Reports whether a push has been stored since the provider was queried, and this state is not its result. */
function isOlder(
  { externalId, version, parts, state }: RemoteChange,
  known: KnownEvent | undefined,
  seen: Batch["seen"],
): boolean {
  if (known?.isPushedSince && state === null) return !known.isDeleted;
  if (known?.isPushedSince) return known.isDeleted || version === null || !sameVersion({ version, parts }, known);
  const before = seen?.get(externalId);
  if (!before) return false;
  if (!known || (known.isDeleted && !known.isUnpushed)) return true;
  return !sameVersion(before, known);
}

function sameVersion({ version, parts }: KnownVersion, known: KnownEvent): boolean {
  return version === known.etag && isDeepStrictEqual(parts, known.parts);
}

/** Returns the step for a deleted event. One with a pending write stays: the push finds that it must create it again. */
function goneStep(change: RemoteChange, known: KnownEvent): Step {
  if (!known.isUnpushed) return { kind: "delete", known };
  return known.isDeleted
    ? { kind: "settle", known }
    : { kind: "name", known, change: { ...change, version: null, parts: {} } };
}

function nextState(known: KnownEvent, read: EventState, keepsSeries: KeepsSeries): EventState {
  if (known.isReplying) return withOwnReply(known.state, read);
  if (known.isUnpushed) return withReplies(known.state, read, { removedGuests: known.removedGuests, keepsSeries });
  if (known.eventId === null) return read;
  const state = keepOwnSpelling(known.isRefused ? baseState(known, read, keepsSeries) : known.state, read, keepsSeries);
  if (known.isRefused) return state;
  return { ...state, conferencing: receivedConferencing(known.state.conferencing, read.conferencing) };
}

/** Returns the event before a rejected write, as far as its series is known. The provider may have accepted a part of the write. */
function baseState({ state, base }: KnownEvent, read: EventState, keepsSeries: KeepsSeries): EventState {
  if (!base) return state;
  const before = { ...state, span: read.span, tzid: read.tzid, ruleSeries: base, icalRecurrence: null };
  return keepsSeries(before, read) || !keepsSeries(state, read) ? before : state;
}

/** Returns one entry if a step is a change: whether it concerns an event of the application. */
function changeOf(step: Step): boolean[] {
  if (step.kind === "insert") return [step.event.eventId !== null];
  if (step.kind === "update" && completesWrite(step.known.state, step.state, step.known.etag === null)) return [];
  return step.kind === "update" || step.kind === "delete" ? [step.known.eventId !== null] : [];
}

async function settleDeletions(query: Query, calendarId: string, steps: readonly Step[]): Promise<void> {
  const ids = steps.flatMap((step) => (step.kind === "settle" ? [step.known.id] : []));
  if (ids.length > 0) await run(query, dropWritesOfEvents, [calendarId, ids]);
}

/**
 * Stores names and etags. Reads never show them, so this is no change. Otherwise defers the remote state of an event
 * with a pending write.
 */
async function rename(query: Query, calendarId: string, steps: readonly Step[]): Promise<void> {
  const renamed = steps.flatMap((step) => {
    if (step.kind !== "name" && step.kind !== "update") return [];
    const { known, change } = step;
    const isSame = known.externalId === change.externalId && sameVersion(change, known);
    const parts = partsColumn(change.parts);
    return isSame ? [] : [{ id: known.id, external_id: change.externalId, etag: change.version, parts }];
  });
  if (renamed.length === 0) return;
  await run(query, renameEvents, [calendarId, JSON.stringify(renamed)]);
}

/** Stores the recurrence of the application's events on which both sides now agree. */
async function storeAgreedSeries(query: Query, calendarId: string, steps: readonly Step[]): Promise<void> {
  const names = steps.flatMap((step) => {
    if (step.kind === "insert") return step.event.eventId === null ? [] : [step.event.externalId];
    if (step.kind !== "name" && step.kind !== "update") return [];
    const { eventId, isUnpushed, isDeleted, base, state } = step.known;
    const repeats =
      base !== null || state.ruleSeries !== null || (step.kind === "update" && step.state.ruleSeries !== null);
    return eventId !== null && !isUnpushed && !isDeleted && repeats ? [step.change.externalId] : [];
  });
  await forgetTouched(query, calendarId, steps);
  if (names.length === 0) return;
  await run(query, agreeOnSeries, [calendarId, names]);
}

/** Makes the next write after a rejected or abandoned one count its changes from the provider's current state. */
async function forgetTouched(query: Query, calendarId: string, steps: readonly Step[]): Promise<void> {
  const ids = steps.flatMap((step) => {
    if (step.kind !== "name" && step.kind !== "update") return [];
    const { id, eventId, isUnpushed } = step.known;
    return eventId !== null && !isUnpushed ? [id] : [];
  });
  if (ids.length === 0) return;
  await run(query, forgetChangedFields, [calendarId, ids]);
}

/** Returns the change time of everything in the batch, in milliseconds, rounded down. */
export async function stampNow(query: Query, calendarId: string): Promise<number> {
  const stamped = await runOne(query, stampMillis, [calendarId]);
  return stamped.at;
}

async function write(query: Query, { calendarId, now }: Batch, steps: readonly Step[]) {
  const inserts = steps.flatMap((step) => (step.kind === "insert" ? [step.event] : []));
  const problems = await insertMany(query, { calendarId, now }, inserts);
  for (const step of steps) {
    if (step.kind !== "update") continue;
    const { externalId } = step.change;
    const target = { calendarId, eventId: step.known.eventId, externalId, now };
    const updated = await updateEvent(query, target, step.known, step.state);
    problems.push(...updated.problems.map((reason) => ({ externalId, reason })));
  }
  const deleted = steps.flatMap((step) => (step.kind === "delete" ? [step.known.id] : []));
  if (deleted.length > 0) await deleteEvents(query, calendarId, deleted);
  return problems;
}
