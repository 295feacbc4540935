import { clock } from "@/server/clock";
import type { EventState } from "@/server/domain/events/event-state";
import type { Instant } from "@/server/domain/time/instant";
import { inSlices } from "@/server/event-loop";
import type { Account } from "@/server/providers/caldav/account";
import type { CaldavResponse } from "@/server/providers/caldav/ask";
import { ifMatch, isDone, put, refusal } from "@/server/providers/caldav/conditional";
import { etagOf, isStrong } from "@/server/providers/caldav/etag";
import type { ReadEvent } from "@/server/providers/caldav/icalendar/read/read-resource";
import { ResourceTooLarge } from "@/server/providers/caldav/icalendar/write/write-overrides";
import { resourceMerged } from "@/server/providers/caldav/icalendar/write/write-resource";
import { readText } from "@/server/providers/caldav/read-page";
import { remove } from "@/server/providers/caldav/remove";
import { reply } from "@/server/providers/caldav/reply";
import {
  eventOf,
  furtherParts,
  isShared,
  nameIn,
  removeFromShared,
  resourceOf,
} from "@/server/providers/caldav/shared-resource";
import { type StoredResource, stored, storedIfAny } from "@/server/providers/caldav/stored";
import {
  type ChangedSince,
  type CurrentEvent,
  type EventToWrite,
  Refused,
  type StoreOutcome,
  type WriteInput,
  type Writing,
} from "@/server/providers/writing";

/** Writes events to a CalDAV server, each with what else its resource has. */
export function caldavWriting(account: () => Account): Writing {
  return {
    read: async (event, since) => {
      const existing = await storedIfAny(account(), account().at(resourceOf(event.externalId)));
      return existing && currentOf(account(), existing, since);
    },
    create: async (event, since) => {
      // Where the server has refused to create it, there is a resource already.
      const existing = since && (await storedIfAny(account(), account().at(externalIdOf(event))));
      return await write(account(), event, { existing, since });
    },
    remove: async (event, since) => {
      const externalId = externalIdOf(event);
      const removing = isShared(event) ? removeFromShared : remove;
      await removing(account(), { ...event, externalId }, since);
      return externalId;
    },
    reply: (event, given, since) => reply(account(), event, given, since),
  };
}

function externalIdOf({ externalId, calendarId, name }: WriteInput): string {
  return externalId ?? `${calendarId.replace(/\/$/, "")}/${name}`;
}

function currentOf(account: Account, existing: StoredResource, since: ChangedSince | null): CurrentEvent {
  return { version: existing.etag, store: async (event) => await write(account, event, { existing, since }) };
}

interface Over {
  /** Null: the resource is new. */
  existing: StoredResource | null;
  since: ChangedSince | null;
}

/** Merges the text of the resource, which is what the server has: much of it nobody here understands, and stays as it is. */
async function write(account: Account, event: EventToWrite, over: Over): Promise<StoreOutcome> {
  const { existing, since } = over;
  const { parts = {}, state } = event;
  const externalId = externalIdOf(event);
  const url = account.at(resourceOf(externalId));
  const pick = <Event extends { uid: string; name: string }>(events: readonly Event[]) =>
    eventOf(events, externalId, Object.keys(parts));
  const toMerge = {
    ...event,
    // A further event that others have removed comes back under its name.
    ...{ uid: nameIn(externalId) ?? event.uid, pick, existing: existing?.ics ?? null },
    ...{ owner: ownerOf(account), now: clock().now() },
  };
  const { ics, tookRemote } = await inSlices(resourceMerged(toMerge)).catch(tooLarge);
  const condition = existing ? ifMatch(existing.etag, since) : { "if-none-match": "*" };
  const answer = await put(account, url, { ics, condition });
  if (isDone(answer)) return { ...(await asKept(account, { externalId, url, answer, ics, pick })), tookRemote };
  const refused = await refusal(account, event.calendarId, { answer, etag: existing?.etag ?? null });
  if (!isOfNoLength(state) || refused.reason !== INVALID) throw refused;
  return await write(account, { ...event, state: lengthened(state) }, over);
}

/** Servers that take no event of no length, as Cyrus, say no more than this (RFC 4791 §5.3.2.1). */
const INVALID = "valid-calendar-data";
const SHORTEST_MS = 60_000;

function isOfNoLength({ span }: EventState): boolean {
  return !span.allDay && span.ends === span.starts;
}

function lengthened({ span, ...state }: EventState): EventState {
  return { ...state, span: { ...span, ends: (span.starts + SHORTEST_MS) as Instant } };
}

function tooLarge(error: unknown): never {
  throw error instanceof ResourceTooLarge ? new Refused("too_large") : error;
}

/**
 * Determines the organizer to write. An organizer must be one of the account's own addresses, otherwise servers send
 * nothing or refuse.
 */
function ownerOf({ addresses: [email], displayName }: Account) {
  return email === undefined ? null : { email, display_name: displayName };
}

interface Sent {
  externalId: string;
  url: string;
  answer: CaldavResponse;
  /** What was sent. */
  ics: string;
  pick(events: readonly ReadEvent[]): ReadEvent | undefined;
}

/**
 * Returns an event as the server keeps it. A strong etag says that the server keeps what was sent, and a Schedule-Tag
 * says that the server may have rewritten it (RFC 6638 §3.2.10).
 */
async function asKept(account: Account, { externalId, url, answer, ics, pick }: Sent): Promise<StoreOutcome> {
  const sent = etagOf(answer.headers.get("etag"));
  const isKept = isStrong(sent) && !answer.headers.has("schedule-tag");
  const { etag, ics: kept } = isKept ? { etag: sent, ics } : await stored(account, url);
  const read = await readText(account, kept, null);
  if ("fault" in read) return { kind: "done", externalId, version: etag, state: null };
  const events = [read, ...read.others];
  const own = pick(events);
  const done: StoreOutcome = { kind: "done", externalId, version: etag, state: own?.state ?? null };
  const others = events.filter((one) => one !== own);
  const isFirst = nameIn(externalId) === undefined && others.length > 0;
  return isFirst ? { parts: furtherParts(externalId, others), ...done } : done;
}
