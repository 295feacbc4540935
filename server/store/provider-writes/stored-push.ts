import type { Database, Query } from "@/server/db/client";
import { databaseTime } from "@/server/db/database-time";
import { run } from "@/server/db/statement";
import { wake } from "@/server/db/wake";
import { type Conferencing, isPending } from "@/server/domain/events/conferencing";
import type { EventState } from "@/server/domain/events/event-state";
import { changedFieldsOf } from "@/server/domain/merge/changed-fields";
import type { Instant } from "@/server/domain/time/instant";
import type { EventParts } from "@/server/providers/connector";
import { type LivingEvent, livingRow, sameContent } from "@/server/store/events/event-record";
import { deleteEvents, updateEvent } from "@/server/store/events/event-rows";
import { type KeepsSeries, keepOwnSpelling, organizerAsRead } from "@/server/store/events/received-state";
import { syncEarly } from "@/server/store/mailboxes/sync-early";
import {
  awaitLinkStatement,
  doublesOf,
  endWrite,
  type LeasedWrite,
  leasedWrite,
  lockCalendarOfWrite,
  notePush,
  notePushOfDeleted,
  noteUnseen,
  writeAgain,
} from "@/server/store/provider-writes/provider-writes.sql";

/** When the provider is asked first for a meeting link that it creates. */
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
    /** It contains remote changes that no sync has read. */
    tookRemote?: boolean;
  };
}

/**
 * Stores that a provider has accepted a write, with its name and etag of the event. Where the provider keeps more than the application
 * wrote (a guest's reply, others' changes) the etag is left open, so that the next sync reads and signals it. What was written since
 * the claim is due at once, based on that etag. Returns false, and stores nothing, when the lease was lost or the write no longer
 * exists.
 */
export async function storePushed(db: Database, push: StoredPush): Promise<boolean> {
  const stored = await db.transaction((query) => store(query, push));
  if (stored.outcome === "again") wake("push");
  if (stored.awaitsLink) await syncEarly(db, stored.profileId, FIRST_LINK_LOOK_MS);
  return stored.outcome !== "lost";
}

type Stored =
  | { outcome: "lost"; awaitsLink?: false }
  | { outcome: "done" | "again"; awaitsLink: boolean; profileId: string };

async function store(
  query: Query,
  { writeId, revision, lease, keepsSeries, pushed, now }: StoredPush,
): Promise<Stored> {
  await run(query, lockCalendarOfWrite, [writeId]);
  const [write] = await run(query, leasedWrite, [writeId, lease]);
  if (!write) return { outcome: "lost" };
  const { calendarId, eventRow, profileId } = write;
  const isLast = write.revision === revision;
  const living = await livingRow(query, calendarId, eventRow);
  const keeps = () => living && pushed.state && keepsMore(living.state, pushed.state, keepsSeries);
  const isMore = pushed.tookRemote || (isLast && keeps());
  const organizer = living && pushed.state ? organizerAsRead(living.state.organizer, pushed.state.organizer) : null;
  const named = { ...pushed, organizer, version: isMore ? null : pushed.version };
  if (living || !isLast) await name(query, write, named);
  else await run(query, notePushOfDeleted, [calendarId, eventRow, pushed.externalId]);
  if (living && write.provider === "icloud") await run(query, noteUnseen, [calendarId, pushed.externalId]);
  const awaitsLink =
    living !== undefined && !(await tookLink(query, write, living, { pushed: pushed.state, organizer, now }));
  if (awaitsLink) await run(query, awaitLinkStatement, [calendarId, eventRow, FIRST_LINK_LOOK_MS, databaseTime()]);
  if (isLast) {
    await run(query, endWrite, [writeId]);
    return { outcome: "done", awaitsLink, profileId };
  }
  const changedFields = living && pushed.pushedState ? changedFieldsOf(pushed.pushedState, living.state) : null;
  await run(query, writeAgain, [writeId, databaseTime(), changedFields]);
  return { outcome: "again", awaitsLink, profileId };
}

/** Whether no meeting link is awaited. One that the provider has created at once is stored: nobody has to look for it. */
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

/** A provider's own spelling of the application's values adds nothing, nor does whom it names as the organizer, or a link that is in the application's texts. */
function keepsMore(own: EventState, read: EventState, keepsSeries: KeepsSeries): boolean {
  const { summary, description, location, url, span, tzid, transparency, organizer } = own;
  // A link that is being created is looked for by itself.
  const isOwnLink = isPending(own.conferencing) || isInTexts(own, read.conferencing);
  const conferencing = isOwnLink ? own.conferencing : read.conferencing;
  const spelt = { summary, description, location, url, span, tzid, transparency, organizer, conferencing };
  return !sameContent(own, { ...keepOwnSpelling(own, read, keepsSeries), ...spelt });
}

function isInTexts({ url, location, description }: EventState, link: Conferencing): boolean {
  if (link === null || isPending(link)) return false;
  return [url, location, description].some((text) => text?.includes(link.join_url));
}

/** A sync that read the event before this was stored has stored it as somebody else's event: that duplicate is deleted. */
async function name(
  query: Query,
  { eventRow, calendarId }: LeasedWrite,
  { externalId, version, parts, pushedState, organizer }: StoredPush["pushed"] & Pick<EventState, "organizer">,
): Promise<void> {
  const values = [pushedState?.ruleSeries, parts, organizer].map((value) => (value ? JSON.stringify(value) : null));
  await run(query, notePush, [calendarId, eventRow, externalId, version, ...values]);
  const doubles = await run(query, doublesOf, [calendarId, externalId, eventRow]);
  const ids = doubles.map(({ id }) => id);
  if (ids.length > 0) await deleteEvents(query, calendarId, ids);
}
