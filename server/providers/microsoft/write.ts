import type { EventState } from "@/server/domain/events/event-state";
import type { Guest } from "@/server/domain/events/guests";
import { documentText } from "@/server/domain/events/own-spelling";
import { toIcalRecurrence } from "@/server/domain/merge/to-ical-recurrence";
import { inSlices } from "@/server/event-loop";
import { type Mailbox, ProviderError, type WriteInput, type Written } from "@/server/providers/connector";
import type { GraphApi, GraphRequest } from "@/server/providers/microsoft/api";
import { batched } from "@/server/providers/microsoft/batch";
import {
  attendeesAfter,
  changedUrl,
  contentBodyOf,
  differing,
  newGuests,
  type Property,
  withProperties,
} from "@/server/providers/microsoft/event-body";
import { etagOf, exceptionsOf, type Item, isSeries } from "@/server/providers/microsoft/item";
import { propertyOf, RESTORING, RESTORING_PROPERTY } from "@/server/providers/microsoft/properties";
import { eventRead } from "@/server/providers/microsoft/read-series";
import { AS_TEXT, eventPath, itemOf, itemRequest } from "@/server/providers/microsoft/series-items";
import { bodyFor, bodyToWrite } from "@/server/providers/microsoft/whole-body";
import { exceptionWrites, invitationsOf, lostDays } from "@/server/providers/microsoft/write-exceptions";
import { ChangedSince, faultOf, handled, hasFailed, itemIn, Refused } from "@/server/providers/microsoft/write-faults";
import { meetingAfter, showsAgain } from "@/server/providers/microsoft/write-meeting";
import {
  type EventToWrite,
  inMinutes,
  isKnown,
  type MergedItem,
  mergedWith,
  readAs,
  recurrenceAfter,
} from "@/server/providers/microsoft/write-merged";
import { created, namedId } from "@/server/providers/microsoft/write-new";
import { writeOccurrences } from "@/server/providers/microsoft/write-occurrences";
import { restored } from "@/server/providers/microsoft/write-restored";

type Note = Parameters<Mailbox["write"]>[1];

const TRIES = 3;

/**
 * Writes one event and the exceptions of its series, or deletes it: over what Graph has at that moment, and only if it still has it.
 * Guests are always notified. Throws `gone` when the event or its calendar is, and `conflict` when it changed at each of three tries.
 */
export async function write(api: GraphApi, input: WriteInput, note: Note): Promise<Written> {
  const { state } = input;
  if (state === null) return await remove(api, input);
  try {
    for (let tries = 0; tries < TRIES; tries += 1) {
      const written = await attempt(api, { ...input, state: inMinutes(state) }, note).catch((error) => {
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

/** A deletion that the application asked for is one, whatever others changed. The organizer's sends cancellations. */
async function remove(api: GraphApi, input: WriteInput): Promise<Written> {
  const { calendarId, externalId, name } = input;
  const id = externalId ?? (await namedId(api, input));
  const done: Written = { kind: "done", externalId: id ?? name, version: null, state: null };
  if (id === null) return done;
  const path = eventPath(calendarId, id);
  const response = await api({ kind: "delete_event", method: "DELETE", path, accepts: ["undo", "done"] });
  if (response.verdict === "undo") return { kind: "refused", reason: response.reason };
  return done;
}

async function attempt(api: GraphApi, input: EventToWrite, note: Note): Promise<Written> {
  const { calendarId, externalId, state } = input;
  if (externalId !== null) {
    const main = await itemOf(api, calendarId, externalId);
    if (!main) throw new ProviderError({ kind: "gone" }, "http_404");
    return await writeOver(api, input, { main, note });
  }
  const { isNew, main } = await created(api, input);
  if (!isNew) return await writeOver(api, input, { main, note });
  await note({ externalId: main.id, part: null, version: etagOf(main) });
  return await finish(api, input, { main, state, invited: [], tookRemote: false, note });
}

interface Over {
  main: Item;
  note: Note;
  /** Others have changed what was read first. */
  isNews?: boolean;
  /** Once is enough: Exchange may name a guest by another address than the application does. */
  hasInvited?: boolean;
}

async function writeOver(
  api: GraphApi,
  input: EventToWrite,
  { main: before, note, isNews = false, hasInvited = false }: Over,
): Promise<Written> {
  let main = before;
  let merged = await mergedWith(input, main);
  const tookRemote = isNews || (merged.tookRemote && !isKnown(input, etagOf(main)));
  const invited = newGuests(main, merged.state.attendees);
  const invitations = hasInvited ? [] : invitationsOf(main, invited);
  if (invitations.length > 0) {
    main = await invitedToExceptions(api, input, { main, invitations });
    return await writeOver(api, input, { main, note, isNews: tookRemote, hasInvited: true });
  }
  const { body, properties } = await patchOf(api, input, { main, merged });
  if (Object.keys(body).length > 0) {
    const isRewritten = "recurrence" in body || "start" in body;
    main = await patched(api, input, { main, body, properties });
    await note({ externalId: main.id, part: null, version: etagOf(main) });
    if (isSeries(main)) merged = await mergedWith(input, main, isRewritten);
  }
  return await finish(api, input, { main, state: merged.state, invited, tookRemote, note });
}

/** What a PATCH of the event says: what is not as it is to be. */
async function patchOf(
  api: GraphApi,
  { calendarId, removedGuests }: EventToWrite,
  { main, merged: { state, remote } }: { main: Item; merged: MergedItem },
) {
  // A single event that names no zone keeps the one that it has in the calendar.
  const content = differing(contentBodyOf(remote), contentBodyOf({ ...state, tzid: state.tzid ?? remote.tzid }));
  const attendees = attendeesAfter(main, { guests: state.attendees, removed: removedGuests });
  const recurrence = recurrenceAfter(state, { remote, main });
  const isForGuests = "start" in content || attendees !== null || recurrence !== undefined;
  if (isForGuests && main.isOrganizer === false) throw new Refused("not_organizer");
  const meeting = meetingAfter(state, remote, main);
  const description = documentText(remote.description) === documentText(state.description) ? null : state.description;
  const text = await bodyToWrite(api, { calendarId, main, description, takesOff: meeting.takesOff });
  const properties = [...changedUrl(remote, state), ...meeting.properties];
  const body = {
    ...content,
    ...(recurrence !== undefined && { recurrence }),
    ...(attendees && { attendees }),
    ...meeting.body,
    ...(text && { body: text }),
    ...(properties.length > 0 && { singleValueExtendedProperties: properties }),
  };
  return { body, properties };
}

interface ToPatch {
  main: Item;
  body: Record<string, unknown>;
  /** Ours, which the response leaves out. */
  properties: Property[];
  isSecond?: boolean;
}

/**
 * Changes the event as it was read. A series with exceptions is read again, as Graph drops them when it moves, and they follow it
 * otherwise. A meeting that was taken off comes back with each new body: then it is taken off again.
 */
async function patched(
  api: GraphApi,
  input: EventToWrite,
  { main, body, properties, isSecond = false }: ToPatch,
): Promise<Item> {
  const path = eventPath(input.calendarId, main.id);
  const patch: GraphRequest = {
    ...{ kind: "change_event", method: "PATCH", path, body, etag: etagOf(main) },
    ...{ prefer: [AS_TEXT], accepts: handled },
  };
  const hasExceptions = exceptionsOf(main).length > 0 || listLength(main.cancelledOccurrences) > 0;
  const requests = hasExceptions ? [patch, itemRequest(input.calendarId, main.id)] : [patch];
  const [response, again] = await batched(api, requests);
  if (!response) throw new ChangedSince();
  const own = withProperties(itemIn(response), main, properties);
  const after = again ? itemIn(again) : own;
  if (!("body" in body) || isSecond || !showsAgain(after)) return after;
  const hidden = await bodyToWrite(api, {
    calendarId: input.calendarId,
    main: after,
    description: null,
    takesOff: true,
  });
  return await patched(api, input, { main: after, body: { body: hidden }, properties: [], isSecond: true });
}

function listLength(value: unknown): number {
  return Array.isArray(value) ? value.length : 0;
}

/** @returns the series with its exceptions, after they were written */
async function invitedToExceptions(
  api: GraphApi,
  { calendarId }: EventToWrite,
  { main, invitations }: { main: Item; invitations: ReturnType<typeof invitationsOf> },
): Promise<Item> {
  const patches = invitations.map(({ id, attendees }): GraphRequest => {
    const request = { kind: "change_event", method: "PATCH", path: eventPath(calendarId, id) } as const;
    return { ...request, body: { attendees }, accepts: handled };
  });
  const done = await batched(api, [...patches, itemRequest(calendarId, main.id)]);
  const failed = done.find(hasFailed);
  const after = done.at(-1);
  if (failed || !after) throw failed ? faultOf(failed) : new ChangedSince();
  return itemIn(after);
}

interface Finishing {
  main: Item;
  state: EventState;
  /** Guests that the whole series has from now on, also those whose addresses Exchange has replaced. */
  invited: readonly Guest[];
  tookRemote: boolean;
  note: Note;
}

/** The occurrences that are not as their series. */
async function finish(api: GraphApi, input: EventToWrite, finishing: Finishing): Promise<Written> {
  const { state, tookRemote } = finishing;
  const main = toIcalRecurrence(state) ? await withExceptions(api, input, finishing) : finishing.main;
  const read = await inSlices(eventRead(main, null));
  return {
    ...{ kind: "done", externalId: main.id, version: etagOf(main), state: await readAs(main, state) },
    ...{ parts: read?.parts ?? {}, ...(tookRemote && { tookRemote: true }) },
  };
}

async function withExceptions(
  api: GraphApi,
  { calendarId, removedGuests }: EventToWrite,
  { main: before, state, invited, note }: Finishing,
): Promise<Item> {
  const series = toIcalRecurrence(state);
  if (!series) return before;
  let main = before;
  let remote = await readAs(main, state);
  if (lostDays(remote, state, series).length > 0) {
    main = await restored(api, { calendarId, main, state, series });
    remote = await readAs(main, state);
  }
  const replaced = new Set(newGuests(main, invited));
  const people = { guests: invited.filter((guest) => !replaced.has(guest)), removed: removedGuests };
  const writes = exceptionWrites({ main, remote, state, series, people });
  const last = propertyOf(main, RESTORING_PROPERTY) === RESTORING ? [isRestored(calendarId, main)] : [];
  if (writes.length + last.length === 0) return main;
  return await writeOccurrences(api, {
    calendarId,
    main,
    tzid: remote.tzid,
    writes,
    bodyFor: bodyFor(api, { calendarId, main }),
    last,
    note,
  });
}

function isRestored(calendarId: string, { id }: Item): GraphRequest {
  const singleValueExtendedProperties = [{ id: RESTORING_PROPERTY, value: "" }];
  const body = { singleValueExtendedProperties };
  const request = { kind: "change_event", method: "PATCH", path: eventPath(calendarId, id) } as const;
  return { ...request, body, prefer: [AS_TEXT], accepts: handled };
}
