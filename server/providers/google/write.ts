import { isDeepStrictEqual } from "node:util";
import { isPending } from "@/server/domain/events/conferencing";
import type { EventState, StoredIcalRecurrence } from "@/server/domain/events/event-state";
import type { Guest } from "@/server/domain/events/guests";
import { withWholeDescriptions } from "@/server/domain/events/whole-descriptions";
import { mergeWrite, rewriteOf } from "@/server/domain/merge/merge-write";
import { isSameRecurrence } from "@/server/domain/merge/same-series";
import { toIcalRecurrence } from "@/server/domain/merge/to-ical-recurrence";
import type { Verdict } from "@/server/domain/provider-responses/verdicts";
import { providerTraits } from "@/server/domain/providers";
import { inSlices } from "@/server/event-loop";
import { down } from "@/server/providers/ask-json";
import { ProviderError } from "@/server/providers/connector";
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
import { reply } from "@/server/providers/google/write-reply";
import {
  ChangedSince,
  type CurrentEvent,
  type EventToWrite,
  type Note,
  Refused,
  type StoreOutcome,
  type WriteInput,
  type Writing,
} from "@/server/providers/writing";

const handled: readonly Verdict[] = ["undo", "gone", "changed", "exists", "done"];

/** Writes events to Google, each with the exceptions of its series. */
export function googleWriting(api: GoogleApi): Writing {
  return {
    read: async (event) => await current(api, event, event.externalId),
    create: async (event, _, note) => {
      const created = await insert(api, event);
      if (created) return await finish(api, event, { ...created, state: event.state, note });
      // The response to an earlier try was lost.
      const before = await current(api, event, event.name);
      if (!before) throw new ChangedSince();
      return { kind: "again", current: before };
    },
    remove: async ({ calendarId, externalId, name, notify }) => {
      const id = externalId ?? name;
      const request = { path: eventPath(calendarId, id), query: guestsNotified(notify) };
      const { verdict, reason } = await api({
        ...{ ...request, kind: "delete_event", method: "DELETE", accepts: ["undo", "done"] },
      });
      if (verdict === "undo") throw new Refused(reason);
      return id;
    },
    reply: (event, given) => reply(api, event, given),
  };
}

async function current(api: GoogleApi, { calendarId }: WriteInput, id: string): Promise<CurrentEvent | null> {
  const known = await itemsOfSeries(api, { calendarId, id, main: null });
  return (
    known && { version: etagOf(known.main), store: async (event, note) => await writeOver(api, event, { known, note }) }
  );
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
): Promise<StoreOutcome> {
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
  const { tookRemote } = merged;
  const invited = newGuests(known.main, state.attendees);
  const stays = attendees !== null && !("start" in content) && recurrence.lines === null;
  for (const invitation of stays ? invitationsOf(known, invited) : [])
    await writeException(api, input, { ...invitation, seriesId: main.id, note });
  if (Object.keys(body).length > 0) {
    const request = { path: eventPath(calendarId, main.id), etag: etagOf(main), query: written(notify), body };
    main = itemIn(await api({ ...request, kind: "change_event", method: "PATCH", accepts: handled }));
    // Google drops exceptions of a series that moves, and others follow it. What others did to them in the meantime counts too. Of an event
    // that becomes a series again it may have those of before.
    const isNewSeries = remote.icalRecurrence === null && recurrence.lines !== null;
    if (exceptions.length > 0 || isNewSeries) {
      const left = await itemsOfSeries(api, { calendarId, id: main.id, main });
      if (!left) throw new ChangedSince();
      ({ main, exceptions } = left);
      const isRewritten = "start" in content || recurrence.lines !== null;
      const rest = isRewritten ? rewriteOf(input, merged.state) : input;
      if (!isNewSeries) merged = await mergedWith(rest, left, isRewritten);
    }
  }
  const done = await finish(api, input, { main, state: merged.state, exceptions, invited, note });
  if (needsWholeGuestList(known.main, input)) throw new Refused(PARTIAL_GUEST_LIST);
  return { ...done, tookRemote };
}

/**
 * Merges what the event is to say with what Google has.
 * @param isRewritten this write has changed the series already, so that nobody else took out the exceptions that Google dropped
 */
async function mergedWith(input: EventToWrite, items: SeriesItems, isRewritten = false) {
  const { state: local, changedFields } = input;
  const read = await inSlices(eventRead(items, null));
  if (!read) throw new Refused("unreadable");
  const remote = withWholeDescription(read.state, local);
  // Where Google has the application's new start already, an earlier try moved the series and got no further.
  const isMoved =
    changedFields?.includes("when") === true && isDeepStrictEqual(bodyOf(remote).start, bodyOf(local).start);
  return { ...(await inSlices(mergeWrite(input, { remote, spelling, isDropped: isRewritten || isMoved }))), remote };
}

interface Finishing {
  main: Item;
  state: EventState;
  exceptions: readonly Item[];
  /** Guests that the whole series has from now on. */
  invited?: readonly Guest[];
  note: Note;
}

/** Writes the exceptions, each by a request of its own, and returns the event as it is stored. */
async function finish(
  api: GoogleApi,
  input: EventToWrite,
  { main, state, exceptions, invited = [], note }: Finishing,
): Promise<StoreOutcome> {
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
  return { kind: "done", externalId: main.id, version: etagOf(main), state: kept, parts: read?.parts ?? {} };
}

/** Writes one exception. Returns null if the rule no longer has such an occurrence. */
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

/**
 * Writes the lines of a series that repeats otherwise than Google has it, or leaves out other days by itself. `lines`
 * is null if the lines stay.
 */
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

/** Builds the parameter that says whether guests are notified, which each write has. */
function guestsNotified(notify: boolean): Record<string, string> {
  return { sendUpdates: notify ? "all" : "none" };
}

/**
 * Builds the query of a write with version 1 of meetings, because without it the field is ignored
 * ("conferenceDataVersion").
 */
function written(notify: boolean): Record<string, string | number> {
  return { ...guestsNotified(notify), conferenceDataVersion: 1 };
}

/**
 * Returns the item that a response says it has stored. A success that names no item is tried again, because it may not
 * be Google's response.
 */
function itemIn({ verdict, body, reason }: ApiResponse): Item {
  const [item] = verdict === null ? itemsOf([body]) : [];
  if (item) return item;
  if (verdict === "changed" || verdict === "exists") throw new ChangedSince();
  if (verdict === "gone") throw new ProviderError({ kind: "gone" }, reason);
  throw verdict === "undo" ? new Refused(reason) : down("no_item");
}
