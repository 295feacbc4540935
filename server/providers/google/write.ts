import { isDeepStrictEqual } from "node:util";
import { isPending } from "@/server/domain/events/conferencing";
import type { EventState, StoredIcalRecurrence } from "@/server/domain/events/event-state";
import type { Guest } from "@/server/domain/events/guests";
import { withWholeDescriptions } from "@/server/domain/events/whole-descriptions";
import { withDroppedExceptions } from "@/server/domain/merge/changed-fields";
import { merge } from "@/server/domain/merge/merge";
import { isSameRecurrence } from "@/server/domain/merge/same-series";
import { toIcalRecurrence } from "@/server/domain/merge/to-ical-recurrence";
import type { Verdict } from "@/server/domain/provider-responses/verdicts";
import { providerTraits } from "@/server/domain/providers";
import { inSlices } from "@/server/event-loop";
import { down } from "@/server/providers/ask-json";
import { type Mailbox, ProviderError, type WriteInput, type Written } from "@/server/providers/connector";
import type { ApiRequest, ApiResponse, GoogleApi } from "@/server/providers/google/api";
import {
  askedAgain,
  attendeesAfter,
  bodyOf,
  clipped,
  differing,
  newGuests,
  recurrenceLines,
} from "@/server/providers/google/event-body";
import { etagOf, type Item, isCancelled, itemsOf } from "@/server/providers/google/item";
import { isPartial, needsWholeGuestList, PARTIAL_GUEST_LIST } from "@/server/providers/google/partial-guest-list";
import { eventRead } from "@/server/providers/google/read-series";
import { eventPath, itemsOfSeries, type SeriesItems } from "@/server/providers/google/series-items";
import { type ExceptionWrite, exceptionWrites, invitationsOf } from "@/server/providers/google/write-exceptions";
import { meetingAfter, newMeeting } from "@/server/providers/google/write-meeting";

type Note = Parameters<Mailbox["write"]>[1];

const TRIES = 3;
const handled: readonly Verdict[] = ["undo", "gone", "changed", "exists", "done"];

/** Google said no for good. */
class Refused extends Error {
  override name = "Refused";
  constructor(readonly reason: string) {
    super(reason);
  }
}
/** Others have changed the event since it was read. */
class ChangedSince extends Error {
  override name = "ChangedSince";
}

/**
 * Writes one event and the exceptions of its series, or deletes it: over what Google has at that moment, and only if it still has it.
 * Throws `gone` when the event or its calendar is, and `conflict` when it changed at each of three tries.
 */
export async function write(api: GoogleApi, input: WriteInput, note: Note): Promise<Written> {
  const { state } = input;
  if (state === null) return await remove(api, input);
  try {
    for (let tries = 0; tries < TRIES; tries += 1) {
      const written = await attempt(api, { ...input, state }, note).catch((error) => {
        if (error instanceof ChangedSince) return null;
        throw error;
      });
      if (written) return written;
    }
  } catch (error) {
    if (error instanceof Refused) return { kind: "refused", reason: error.reason };
    throw error;
  }
  throw new ProviderError({ kind: "conflict" }, "http_412");
}

/** A deletion that the application asked for is one, whatever others changed. */
async function remove(api: GoogleApi, { calendarId, externalId, name, notify }: WriteInput): Promise<Written> {
  const id = externalId ?? name;
  const path = eventPath(calendarId, id);
  const query = guestsNotified(notify);
  const response = await api({ kind: "delete_event", method: "DELETE", path, query, accepts: ["undo", "done"] });
  if (response.verdict === "undo") return { kind: "refused", reason: response.reason };
  return { kind: "done", externalId: id, version: null, state: null };
}

type EventToWrite = WriteInput & { state: EventState };

async function attempt(api: GoogleApi, input: EventToWrite, note: Note): Promise<Written> {
  const { calendarId, externalId, name } = input;
  const id = externalId ?? name;
  const known = externalId === null ? null : await itemsOfSeries(api, { calendarId, id, main: null });
  if (known) return await writeOver(api, input, { known, note });
  if (externalId !== null) throw new ProviderError({ kind: "gone" }, "http_404");
  const created = await insert(api, input);
  if (created) return await finish(api, input, { ...created, state: input.state, tookRemote: false, note });
  // The response to an earlier try was lost.
  const before = await itemsOfSeries(api, { calendarId, id, main: null });
  if (!before) throw new ChangedSince();
  return await writeOver(api, input, { known: before, note });
}

/** Creates an event under its name ("id: provided that it follows these rules"). Null: there is one already. */
async function insert(api: GoogleApi, input: EventToWrite): Promise<SeriesItems | null> {
  const { calendarId, name, state, notify } = input;
  const series = toIcalRecurrence(state);
  const attendees = attendeesAfter(null, { guests: state.attendees, removed: [] });
  const body = {
    ...{ ...bodyOf(state), id: name, status: "confirmed" },
    ...(attendees && { attendees }),
    ...(series && { recurrence: recurrenceLines(series, series.exdates) }),
    ...(isPending(state.conferencing) && { conferenceData: newMeeting() }),
  };
  const path = `/calendars/${encodeURIComponent(calendarId)}/events`;
  const sent = { query: written(notify), body, accepts: handled };
  const response = await api({ ...sent, kind: "create_event", method: "POST", path });
  if (response.verdict !== "exists") return { main: itemIn(response), exceptions: [] };
  const read = await api({ kind: "read_event", path: eventPath(calendarId, name), accepts: ["gone"] });
  const [taken] = itemsOf([read.body]);
  if (!taken || !isCancelled(taken)) return null;
  // The id of a deleted event stays taken: it is that event again, without its guests, its rule and its meeting.
  const again = { body: { ...emptied, ...body }, etag: etagOf(taken) };
  const revived: ApiRequest = {
    ...sent,
    ...again,
    kind: "change_event",
    method: "PATCH",
    path: eventPath(calendarId, name),
  };
  const main = itemIn(await api(revived));
  return await itemsOfSeries(api, { calendarId, id: name, main });
}

const emptied = { attendees: [], recurrence: [], conferenceData: null };

async function writeOver(
  api: GoogleApi,
  input: EventToWrite,
  { known, note }: { known: SeriesItems; note: Note },
): Promise<Written> {
  const { calendarId, notify, removedGuests } = input;
  let merged = await mergedWith(input, known);
  const { state, remote } = merged;
  const recurrence = recurrenceAfter(state, remote);
  const attendees = attendeesAfter(known.main, { guests: state.attendees, removed: removedGuests });
  const content = differing(bodyOf(remote), bodyOf(state));
  const isAtOtherTime = "start" in content || "end" in content;
  const body = {
    ...content,
    ...(recurrence.lines && { recurrence: recurrence.lines }),
    ...(attendees && { attendees: isAtOtherTime ? askedAgain(attendees) : attendees }),
    ...meetingAfter(state, remote, known.main),
  };
  let { main, exceptions } = known;
  const isNews = merged.tookRemote && !isKnown(input, etagOf(known.main));
  const invited = newGuests(known.main, state.attendees);
  const stays = attendees !== null && !("start" in content) && recurrence.lines === null;
  for (const invitation of stays ? invitationsOf(known, invited) : [])
    await writeException(api, input, { ...invitation, seriesId: main.id, note });
  if (Object.keys(body).length > 0) {
    const request = { path: eventPath(calendarId, main.id), etag: etagOf(main), query: written(notify), body };
    main = itemIn(await api({ ...request, kind: "change_event", method: "PATCH", accepts: handled }));
    // Google drops exceptions of a series that moves, and others follow it. What others did to them in the meantime counts too.
    if (exceptions.length > 0) {
      const left = await itemsOfSeries(api, { calendarId, id: main.id, main });
      if (!left) throw new ChangedSince();
      ({ main, exceptions } = left);
      merged = await mergedWith(input, left);
    }
  }
  const done = await finish(api, input, { main, state: merged.state, exceptions, invited, tookRemote: isNews, note });
  return needsWholeGuestList(known.main, input) ? { kind: "refused", reason: PARTIAL_GUEST_LIST } : done;
}

/** What the event is to say, over what Google has. */
async function mergedWith(input: EventToWrite, items: SeriesItems) {
  const { state: local, changedFields = null } = input;
  const read = await inSlices(eventRead(items, null));
  if (!read) throw new Refused("unreadable");
  const remote = withWholeDescription(read.state, local);
  // Where Google has the application's new start already, an earlier try moved the series and got no further.
  const isMoved = changedFields?.includes("when") && isDeepStrictEqual(bodyOf(remote).start, bodyOf(local).start);
  const sides = isMoved ? withoutDropped(input) : { base: input.base ?? null, changedFields };
  return { ...(await inSlices(merge({ local, remote, spelling, ...sides }))), remote };
}

/** The series as both sides last had it, and what the application changed: nobody else took out the exceptions that Google dropped. */
function withoutDropped({ base = null, changedFields = null, state }: EventToWrite) {
  return {
    base: base && { ...base, skipped: [], changed: [] },
    changedFields: withDroppedExceptions(changedFields, state),
  };
}

interface Finishing {
  main: Item;
  state: EventState;
  exceptions: readonly Item[];
  /** Guests that the whole series has from now on. */
  invited?: readonly Guest[];
  tookRemote: boolean;
  note: Note;
}

/** The exceptions, each by a request of its own. */
async function finish(
  api: GoogleApi,
  input: EventToWrite,
  { main, state, exceptions, invited = [], tookRemote, note }: Finishing,
): Promise<Written> {
  await note({ externalId: main.id, part: null, version: etagOf(main) });
  const items = new Map(exceptions.map((item) => [item.id, item]));
  const series = toIcalRecurrence(state);
  const people = isPartial(main) ? { guests: [], removed: [] } : { guests: invited, removed: input.removedGuests };
  const own = series && (await inSlices(eventRead({ main, exceptions: [] }, null)));
  const exdates = own?.state.icalRecurrence?.exdates ?? [];
  const writes = series
    ? exceptionWrites({ seriesId: main.id, state, series, exdates, items: exceptions, people })
    : [];
  for (const one of writes) {
    const item = await writeException(api, input, { ...one, seriesId: main.id, note });
    if (item) items.set(one.id, item);
  }
  const read = await inSlices(eventRead({ main, exceptions: [...items.values()] }, null));
  const kept = read && withWholeDescription(read.state, state);
  return {
    ...{ kind: "done", externalId: main.id, version: etagOf(main), state: kept, parts: read?.parts ?? {} },
    ...(tookRemote && { tookRemote: true }),
  };
}

/** Null: the rule has no such occurrence any more. */
async function writeException(
  api: GoogleApi,
  { calendarId, notify }: EventToWrite,
  { id, before, body, seriesId, note }: ExceptionWrite & { seriesId: string; note: Note },
): Promise<Item | null> {
  const request = { path: eventPath(calendarId, id), etag: before && etagOf(before), query: written(notify), body };
  const response = await api({ ...request, kind: "change_event", method: "PATCH", accepts: handled });
  if (response.verdict === "gone") return null;
  const item = itemIn(response);
  await note({ externalId: seriesId, part: id, version: etagOf(item) });
  return item;
}

/** Texts as Google has them. */
const spelling = { text: clipped, link: (url: string) => url };

function withWholeDescription(remote: EventState, local: EventState): EventState {
  return withWholeDescriptions(local, remote, providerTraits.google.descriptionLimit);
}

/** The lines of a series that repeats otherwise than Google has it, or leaves out other days by itself. Null: they stay. */
function recurrenceAfter(state: EventState, remote: EventState): { lines: string[] | null } {
  const [after, before] = [toIcalRecurrence(state), remote.icalRecurrence];
  if (!after) return { lines: before && remote.icalRecurrence ? [] : null };
  if (!before || !isSameSeries(state, after, remote, before)) return { lines: recurrenceLines(after, after.exdates) };
  const still = new Set(after.exdates.map(({ text }) => text));
  const kept = before.exdates.filter(({ text }) => still.has(text));
  return { lines: kept.length < before.exdates.length ? recurrenceLines(before, kept) : null };
}

function isSameSeries(
  state: EventState,
  after: StoredIcalRecurrence,
  remote: EventState,
  before: StoredIcalRecurrence,
): boolean {
  const isAtSameTime = after.start === before.start && after.allDay === before.allDay && after.tzid === before.tzid;
  if (!isAtSameTime) return false;
  if (state.ruleSeries) return isSameRecurrence(state, after, remote, before);
  const rules = ({ rrules, exrules, rdates }: StoredIcalRecurrence) => ({ rrules, exrules, rdates });
  return isDeepStrictEqual(rules(after), rules(before));
}

/** In a version that was taken nobody else has said anything. */
function isKnown({ version, isRemoteChangeDeferred }: WriteInput, etag: string | null): boolean {
  return !isRemoteChangeDeferred && version !== null && etag === version;
}

/** Guests are notified only if that is asked for: `sendUpdates` is said each time. */
function guestsNotified(notify: boolean): Record<string, string> {
  return { sendUpdates: notify ? "all" : "none" };
}

/** Version 1 of meetings: without it the field is ignored ("conferenceDataVersion"). */
function written(notify: boolean): Record<string, string | number> {
  return { ...guestsNotified(notify), conferenceDataVersion: 1 };
}

/** What a success does not say it has stored is tried again: it may not be Google's response. */
function itemIn({ verdict, body, reason }: ApiResponse): Item {
  const [item] = verdict === null ? itemsOf([body]) : [];
  if (item) return item;
  if (verdict === "changed" || verdict === "exists") throw new ChangedSince();
  if (verdict === "gone") throw new ProviderError({ kind: "gone" }, reason);
  throw verdict === "undo" ? new Refused(reason) : down("no_item");
}
