import type { Query } from "@/server/db/client";
import { wake } from "@/server/db/wake";
import { isMatch, namesTag } from "@/server/domain/entity-tags";
import type { EventState } from "@/server/domain/events/event-state";
import type { Instant } from "@/server/domain/time/instant";
import { refusedLater } from "@/server/services/events/refused-later";
import type { OwnTexts, WrittenCalendar } from "@/server/services/events/write/next-state";
import { type FoundEvent, foundEvent } from "@/server/services/named-events/found-event";
import type { NamedInput } from "@/server/services/named-events/input";
import { represent } from "@/server/services/named-events/representation";
import { mayReplyIn, rightsOf } from "@/server/services/named-events/rights";
import { invalid, Refusal } from "@/server/services/refusal";
import type { AccountContext } from "@/server/services/trpc";
import { conflictOf, lockRowToWrite, type WriteOutcome, writeEvent } from "@/server/store/event-writes/write-event";
import { sameContent } from "@/server/store/events/event-record";
import { refreshEvent } from "@/server/store/live/refresh-event";
import type { StoredReplies } from "@/server/store/provider-writes/stored-replies";

export interface NamedChange extends NamedInput {
  /** The header If-Match. Null: whatever the event says now is changed. */
  ifMatch: string | null;
  /** Whether guests are notified. */
  notify: boolean;
  right: "update" | "delete" | "reply";
  /** The calendar that has to have the event. Omitted: any of the account. */
  calendarId?: string;
}

/** The event after the change, null where there is none, and which texts the application has set then. */
export interface Decision {
  state: EventState | null;
  ownTexts?: OwnTexts;
  /** The user's replies, which are all that the provider is told. */
  replies?: StoredReplies;
  /** Whether the provider is told even if nothing changes here. */
  isSent?: boolean;
}

/** Decides what becomes of an event, and throws what the change is refused with. */
type Decide = (found: FoundEvent, calendar: ChangedCalendar) => Decision;

/** `notify`: whether guests are notified. Those of events that others created are not. */
export type ChangedCalendar = WrittenCalendar & { notify: boolean };

/**
 * Carries out a change of an event that the application names by its uid, as `changeEvent` does one by its event_id: in
 * one statement that does nothing if the event changed in between, then once more under a lock (ADR 38). So If-Match is
 * compared with what is written over. Throws not_found and 422 for the event, forbidden, then `changed`.
 */
export async function changeNamedEvent(ctx: AccountContext, change: NamedChange, decide: Decide): Promise<void> {
  const found = await foundEvent(ctx.db.query, ctx, change);
  if (change.right !== "reply") refuseVague(change, found);
  const { record } = found.event;
  const isRefreshed = record.provider !== "hosted" && namesTag(change.ifMatch);
  if (isRefreshed) await refresh(ctx, change, found);
  const target = { calendarId: record.calendarId, id: record.id, eventId: record.eventId };
  await refusedLater(ctx, target, async () => {
    const current = isRefreshed ? await foundEvent(ctx.db.query, ctx, change) : found;
    const first = { change, decide, query: ctx.db.query, found: current, isLocked: false };
    let outcome = await attempt(ctx, first).catch(conflictOf);
    if (outcome === "conflict") outcome = await attemptLocked(ctx, { change, decide, ...target });
    if (outcome === "queued") wake("push");
  });
}

/** Reads at the provider what others may have changed since the last sync, if nothing else speaks against the change. */
async function refresh(ctx: AccountContext, change: NamedChange, found: FoundEvent): Promise<void> {
  refuseWithoutRight(ctx, change, found);
  refuseChanged(ctx, change, found);
  const { calendarId, id } = found.event.record;
  await refreshEvent(ctx.db, { calendarId, id, now: ctx.now as Instant });
}

interface Attempt {
  change: NamedChange;
  decide: Decide;
  query: Query;
  found: FoundEvent;
  isLocked: boolean;
}

async function attempt(
  ctx: AccountContext,
  { change, decide, query, found, isLocked }: Attempt,
): Promise<WriteOutcome | "unchanged"> {
  const { record, living } = found.event;
  refuseWithoutRight(ctx, change, found);
  refuseChanged(ctx, change, found);
  const { calendarId, provider, integratedConferencing, invites, version, ownTexts, eventId } = record;
  const { accountId, email, name } = ctx.bearer;
  const calendar = { id: calendarId, provider, integratedConferencing, invites, readonly: false };
  const notify = eventId !== null && change.notify;
  const decision = decide(found, { ...calendar, notify, owner: { email, display_name: name } });
  const after = decision.state;
  if (after !== null && sameContent(living.state, after) && !decision.isSent) return "unchanged";
  const { replies = null } = decision;
  return await writeEvent(ctx.db, query, {
    ...{ calendarId, accountId, eventId, after, notify, isLocked },
    read: { calendar, living: { ...living, version, ownTexts } },
    ownTexts: decision.ownTexts === undefined ? ownTexts : decision.ownTexts,
    queued: { isConditional: replies ? null : namesTag(change.ifMatch), replies },
    now: ctx.now as Instant,
  });
}

interface LockedAttempt {
  change: NamedChange;
  decide: Decide;
  calendarId: string;
  id: string;
}

async function attemptLocked(ctx: AccountContext, { change, decide, calendarId, id }: LockedAttempt) {
  return await ctx.db.transaction(async (query) => {
    await lockRowToWrite(query, calendarId, id);
    const found = await foundEvent(query, ctx, change);
    const outcome = await attempt(ctx, { change, decide, query, found, isLocked: true });
    if (outcome === "conflict") throw new Error("a locked event was written by others");
    return outcome;
  });
}

/** Refuses to take a whole series for its earliest occurrence. */
function refuseVague({ uid, day, scope }: NamedChange, { event, occurrence }: FoundEvent): void {
  if (uid !== event.record.id || occurrence.day === null || day !== null || scope === "all") return;
  const description = "occurrence_date is required: event_uid names a series. To change all of it, send scope=all";
  throw invalid({ path: ["occurrence_date"], key: "errors.required", description });
}

function refuseWithoutRight({ bearer }: AccountContext, { right }: NamedChange, { event }: FoundEvent): void {
  const { record, living } = event;
  const isAllowed = right === "reply" ? mayReplyIn(record) : rightsOf(record, living.state, bearer)[right];
  if (isAllowed) return;
  const text = record.isReadonly
    ? "The calendar is read-only"
    : `Your application did not create this event and may not ${right === "reply" ? "reply to" : right} it`;
  throw new Refusal({ kind: "forbidden", text });
}

/** Refuses a change of what the application has not seen: a change of a whole series needs the tag of all of it. */
function refuseChanged(ctx: AccountContext, { ifMatch, scope }: NamedChange, { event, occurrence }: FoundEvent): void {
  if (ifMatch === null) return;
  const { json, etag, seriesEtag } = represent(event, occurrence, ctx);
  const current = scope === "all" ? seriesEtag : etag;
  if (!isMatch(ifMatch, current)) throw new Refusal({ kind: "changed", event: json, etag: current });
}
