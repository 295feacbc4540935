import type { Database, Query } from "@/server/db/client";
import { databaseTime } from "@/server/db/database-time";
import { run } from "@/server/db/statement";
import { wake } from "@/server/db/wake";
import { type Conferencing, isPending } from "@/server/domain/events/conferencing";
import type { EventState } from "@/server/domain/events/event-state";
import { changedFieldsOf } from "@/server/domain/merge/changed-fields";
import type { Instant } from "@/server/domain/time/instant";
import type { EventParts, PartVersion } from "@/server/providers/writing";
import { type LivingEvent, livingRow, sameContent } from "@/server/store/events/event-record";
import { deleteEvents, updateEvent } from "@/server/store/events/event-rows";
import { type KeepsSeries, keepOwnSpelling, organizerAsRead } from "@/server/store/events/received-state";
import { syncEarly } from "@/server/store/mailboxes/schedule";
import {
  awaitLinkStatement,
  doublesOf,
  endWrite,
  type LeasedWrite,
  leasedWrite,
  lockCalendarOfWrite,
  notePartStatement,
  notePush,
  notePushOfDeleted,
  noteUnseen,
  readAllAgain,
  writeAgain,
} from "@/server/store/provider-writes/provider-writes.sql";
import { withConsequences } from "@/server/store/provider-writes/reply-consequences";
import type { StoredReplies } from "@/server/store/provider-writes/stored-replies";

/** How soon the provider is first asked for a meeting link that it creates. */
const FIRST_LINK_LOOK_MS = 1_000;

export interface StoredPush {
  writeId: string;
  /** The revision of the row of provider_writes when it was claimed. */
  revision: number;
  lease: string;
  keepsSeries: KeepsSeries;
  now: Instant;
  pushed: {
    externalId: string;
    version: string | null;
    /** The event as the provider keeps it now. Null: deleted, or unknown. */
    state: EventState | null;
    /** The etags of its exceptions, where these are items of their own. */
    parts?: EventParts;
    /** The state that was sent: later writes of the application are compared with it. */
    pushedState?: EventState | null;
    /** The replies that were sent. */
    pushedReplies?: StoredReplies | null;
    /** Whether it contains remote changes that no sync has read. */
    tookRemote?: boolean;
    /** Whether a sync has passed over this version, so that the next has to read all of the calendar to find it. */
    isPassedOver?: boolean;
  };
}

/**
 * Stores that a provider has accepted a write, with its name and etag of the event. Where the provider keeps more than the application
 * wrote (a guest's reply, others' changes) the etag is left open, so that the next sync reads and signals it; one that has passed over it reads all of the calendar. What was written since
 * the claim is due at once, based on that etag. Returns false, and stores nothing, when the lease was lost or the write no longer
 * exists.
 */
export async function storePushed(db: Database, push: StoredPush): Promise<boolean> {
  const stored = await db.transaction((query) => store(query, push));
  if (stored.outcome === "again") wake("push");
  if (stored.awaitsLink) await syncEarly(db, stored.profileId, FIRST_LINK_LOOK_MS);
  if (stored.readsAgain) await syncEarly(db, stored.profileId, 0);
  return stored.outcome !== "lost";
}

type StoreResult =
  | { outcome: "lost"; awaitsLink?: false; readsAgain?: false }
  | { outcome: "done" | "again"; awaitsLink: boolean; readsAgain: boolean; profileId: string };

async function store(
  query: Query,
  { writeId, revision, lease, keepsSeries, pushed, now }: StoredPush,
): Promise<StoreResult> {
  await run(query, lockCalendarOfWrite, [writeId]);
  const [write] = await run(query, leasedWrite, [writeId, lease]);
  if (!write) return { outcome: "lost" };
  const { calendarId, eventRow, profileId } = write;
  const isLast = write.revision === revision;
  const living = await livingAfterReplies(query, write, { pushed, now });
  const keeps = () => living && pushed.state && keepsMore(living.state, pushed.state, keepsSeries);
  const isMore = pushed.tookRemote || (isLast && keeps());
  const organizer = living && pushed.state ? organizerAsRead(living.state.organizer, pushed.state.organizer) : null;
  const named = { ...pushed, organizer, version: isMore ? null : pushed.version };
  if (living || !isLast) await nameEvent(query, write, named);
  else await run(query, notePushOfDeleted, [calendarId, eventRow, pushed.externalId, write.attempts]);
  const readsAgain = isMore === true && pushed.isPassedOver === true;
  if (readsAgain) await run(query, readAllAgain, [calendarId]);
  if (living && write.provider === "icloud") await run(query, noteUnseen, [calendarId, pushed.externalId]);
  const awaitsLink =
    living !== undefined &&
    write.eventId !== null &&
    !(await tookLink(query, write, living, { pushed: pushed.state, organizer, now }));
  if (awaitsLink) await run(query, awaitLinkStatement, [calendarId, eventRow, FIRST_LINK_LOOK_MS, databaseTime()]);
  if (isLast) {
    await run(query, endWrite, [writeId]);
    return { outcome: "done", awaitsLink, readsAgain, profileId };
  }
  const changedFields = living && pushed.pushedState ? changedFieldsOf(pushed.pushedState, living.state) : null;
  const replies = pushed.pushedReplies ? JSON.stringify(pushed.pushedReplies) : null;
  await run(query, writeAgain, [writeId, databaseTime(), changedFields, replies]);
  return { outcome: "again", awaitsLink, readsAgain, profileId };
}

/** Loads the event that was written, with what the provider has made of the replies that were sent. */
async function livingAfterReplies(
  query: Query,
  { calendarId, eventRow, eventId }: LeasedWrite,
  { pushed: { state, pushedReplies }, now }: Pick<StoredPush, "pushed" | "now">,
): Promise<LivingEvent | undefined> {
  const living = await livingRow(query, calendarId, eventRow);
  if (!living || !state || !pushedReplies) return living;
  const after = withConsequences(living.state, state, pushedReplies);
  await updateEvent(query, { calendarId, eventId, externalId: null, now }, living, after);
  return { ...living, state: after };
}

/** Reports whether no meeting link is awaited. Stores one that the provider has created at once: nobody has to look for it. */
async function tookLink(
  query: Query,
  { calendarId, eventId }: LeasedWrite,
  living: LivingEvent,
  { pushed, organizer, now }: Pick<EventState, "organizer"> & { pushed: EventState | null; now: Instant },
): Promise<boolean> {
  if (!isPending(living.state.conferencing)) return true;
  const conferencing = pushed?.conferencing ?? null;
  if (conferencing === null || isPending(conferencing)) return false;
  const target = { calendarId, eventId, externalId: null, now };
  const state = { ...living.state, organizer: organizer ?? living.state.organizer, conferencing };
  await updateEvent(query, target, living, state);
  return true;
}

/**
 * Reports whether the provider keeps more than the application wrote. Its own spelling of the values, its organizer, or
 * a link that is in the application's texts add nothing.
 */
function keepsMore(own: EventState, read: EventState, keepsSeries: KeepsSeries): boolean {
  const { summary, description, location, url, span, tzid, transparency, organizer } = own;
  // A link that is being created is looked up separately.
  const isOwnLink = isPending(own.conferencing) || isInTexts(own, read.conferencing);
  const conferencing = isOwnLink ? own.conferencing : read.conferencing;
  const spelt = { summary, description, location, url, span, tzid, transparency, organizer, conferencing };
  return !sameContent(own, { ...keepOwnSpelling(own, read, keepsSeries), ...spelt });
}

function isInTexts({ url, location, description }: EventState, link: Conferencing): boolean {
  if (link === null || isPending(link)) return false;
  return [url, location, description].some((text) => text?.includes(link.join_url));
}

/**
 * Names the event, and deletes its duplicate: a sync that read the event before this was stored has stored it as
 * another person's.
 */
async function nameEvent(
  query: Query,
  { eventRow, calendarId, attempts }: LeasedWrite,
  { externalId, version, parts, pushedState, organizer }: StoredPush["pushed"] & Pick<EventState, "organizer">,
): Promise<void> {
  const values = [pushedState?.ruleSeries, parts, organizer].map((value) => (value ? JSON.stringify(value) : null));
  await run(query, notePush, [calendarId, eventRow, externalId, version, ...values, attempts]);
  const doubles = await run(query, doublesOf, [calendarId, externalId, eventRow]);
  const ids = doubles.map(({ id }) => id);
  if (ids.length > 0) await deleteEvents(query, calendarId, ids);
}

/** Stores that the provider has accepted one of the requests of a write: its new state is not a change by others. */
export async function notePart(
  db: Database,
  write: { id: string; calendarId: string; lease: string },
  { externalId, part, version }: PartVersion,
): Promise<void> {
  await run(db.query, notePartStatement, [write.calendarId, write.id, write.lease, externalId, part, version]);
}
