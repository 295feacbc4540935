import { clock } from "@/server/clock";
import type { EventState } from "@/server/domain/events/event-state";
import type { Instant } from "@/server/domain/time/instant";
import { inSlices } from "@/server/event-loop";
import type { Account } from "@/server/providers/caldav/account";
import type { Answered } from "@/server/providers/caldav/ask";
import { CHANGED_MEANWHILE, ifMatch, isDone, put, refusal, TRIES } from "@/server/providers/caldav/conditional";
import { etagOf, isStrong } from "@/server/providers/caldav/etag";
import type { ReadEvent } from "@/server/providers/caldav/icalendar/read/read-resource";
import { ResourceTooLarge } from "@/server/providers/caldav/icalendar/write/write-overrides";
import { resourceMerged } from "@/server/providers/caldav/icalendar/write/write-resource";
import { readText } from "@/server/providers/caldav/read-page";
import { remove } from "@/server/providers/caldav/remove";
import {
  eventOf,
  furtherParts,
  isShared,
  nameIn,
  removeFromShared,
  resourceOf,
} from "@/server/providers/caldav/shared-resource";
import { stored, storedIfAny } from "@/server/providers/caldav/stored";
import { ProviderError, type WriteInput, type Written } from "@/server/providers/connector";

/**
 * Writes one event, or deletes it: over what the server has at that moment, and only if it still has it, so that what others changed
 * stays. Gives what the server keeps. Throws `gone` when the event or its calendar is, and `conflict` when it changed at each of three tries.
 */
export function push(account: Account, input: WriteInput): Promise<Written> {
  const externalId = input.externalId ?? `${input.calendarId.replace(/\/$/, "")}/${input.name}`;
  if (input.state !== null) return write(account, input, externalId, input.state);
  return isShared(input) ? removeFromShared(account, input, externalId) : remove(account, input, externalId);
}

async function write(account: Account, input: WriteInput, externalId: string, asked: EventState): Promise<Written> {
  let state = asked;
  const url = account.at(resourceOf(externalId));
  const further = Object.keys(input.parts ?? {});
  const pick = <Event extends { uid: string; name: string }>(events: readonly Event[]) =>
    eventOf(events, externalId, further);
  // A further event that others have removed comes back under its name.
  const uid = nameIn(externalId) ?? input.uid;
  let existing = input.externalId === null ? null : await stored(account, url);
  let refused: string | null = null;
  for (let tries = 0; tries < TRIES; tries += 1) {
    const toMerge = {
      ...input,
      uid,
      pick,
      existing: existing?.ics ?? null,
      state,
      owner: ownerOf(account),
      now: clock().now(),
    };
    const merged = await inSlices(resourceMerged(toMerge)).catch(tooLarge);
    if (!merged) return { kind: "refused", reason: "too_large" };
    const { ics, tookRemote } = merged;
    const condition = existing ? ifMatch(existing.etag, refused) : { "if-none-match": "*" };
    const answer = await put(account, url, { ics, condition });
    const isNews = tookRemote && !isKnown(input, existing?.etag);
    const written = { externalId, url, answer, ics, pick };
    if (isDone(answer)) return { ...(await pushed(account, written)), ...(isNews && { tookRemote: true }) };
    if (answer.status !== CHANGED_MEANWHILE) {
      const refusedFor = await refusal(account, input.calendarId, answer);
      if (!isOfNoLength(state) || refusedFor.kind !== "refused" || refusedFor.reason !== INVALID) return refusedFor;
      state = lengthened(state);
      continue;
    }
    refused = existing?.etag ?? null;
    existing = await storedIfAny(account, url);
  }
  throw new ProviderError({ kind: "conflict" }, "http_412");
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

function tooLarge(error: unknown): null {
  if (error instanceof ResourceTooLarge) return null;
  throw error;
}

/** In a version that was taken nobody else has said anything, however the server spells it. */
function isKnown({ version, isRemoteChangeDeferred }: WriteInput, etag: string | null | undefined): boolean {
  return !isRemoteChangeDeferred && version !== null && etag === etagOf(version);
}

/** An organizer must be one of the account's own addresses, else servers send nothing or refuse. */
function ownerOf({ addresses: [email], displayName }: Account) {
  return email === undefined ? null : { email, display_name: displayName };
}

interface Sent {
  externalId: string;
  url: string;
  answer: Answered;
  /** What was sent. */
  ics: string;
  pick(events: readonly ReadEvent[]): ReadEvent | undefined;
}

/** A strong etag says that what was sent is what is kept; a Schedule-Tag, that the server may have rewritten it (RFC 6638 §3.2.10). */
async function pushed(account: Account, { externalId, url, answer, ics, pick }: Sent): Promise<Written> {
  const sent = etagOf(answer.headers.get("etag"));
  const isKept = isStrong(sent) && !answer.headers.has("schedule-tag");
  const { etag, ics: kept } = isKept ? { etag: sent, ics } : await stored(account, url);
  const read = await readText(account, kept, null);
  if ("fault" in read) return { kind: "done", externalId, version: etag, state: null };
  const events = [read, ...read.others];
  const own = pick(events);
  const done: Written = { kind: "done", externalId, version: etag, state: own?.state ?? null };
  const others = events.filter((one) => one !== own);
  const isFirst = nameIn(externalId) === undefined && others.length > 0;
  return isFirst ? { parts: furtherParts(externalId, others), ...done } : done;
}
