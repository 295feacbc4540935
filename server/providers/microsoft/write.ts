import type { EventState } from "@/server/domain/events/event-state";
import type { Guest } from "@/server/domain/events/guests";
import { documentText } from "@/server/domain/events/own-spelling";
import { rewriteOf } from "@/server/domain/merge/merge-write";
import { toIcalRecurrence } from "@/server/domain/merge/to-ical-recurrence";
import { inSlices } from "@/server/event-loop";
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
import { faultOf, handled, hasFailed, itemIn } from "@/server/providers/microsoft/write-faults";
import { meetingAfter, showsAgain } from "@/server/providers/microsoft/write-meeting";
import {
  inMinutes,
  type MergedItem,
  mergedWith,
  readAs,
  recurrenceAfter,
} from "@/server/providers/microsoft/write-merged";
import { created, namedId } from "@/server/providers/microsoft/write-new";
import { writeOccurrences } from "@/server/providers/microsoft/write-occurrences";
import { reply } from "@/server/providers/microsoft/write-reply";
import { restored } from "@/server/providers/microsoft/write-restored";
import {
  type Again,
  ChangedSince,
  type CurrentEvent,
  type EventToWrite,
  type Note,
  Refused,
  type StoreOutcome,
  type Writing,
} from "@/server/providers/writing";

/** Writes events to Graph, each with the exceptions of its series. Guests are always notified. */
export function microsoftWriting(api: GraphApi): Writing {
  return {
    read: async ({ calendarId, externalId }) => {
      const main = await itemOf(api, calendarId, externalId);
      return main && currentOf(api, { main });
    },
    create: async (event, _, note) => {
      const { isNew, main } = await created(api, inMinutes(event));
      if (!isNew) return { kind: "again", current: currentOf(api, { main }) };
      await note({ externalId: main.id, part: null, version: etagOf(main) });
      return await finish(api, inMinutes(event), { main, state: inMinutes(event).state, invited: [], note });
    },
    // The organizer's deletion sends cancellations.
    remove: async (event) => {
      const { calendarId, externalId, name } = event;
      const id = externalId ?? (await namedId(api, event));
      if (id === null) return name;
      const path = eventPath(calendarId, id);
      const response = await api({ kind: "delete_event", method: "DELETE", path, accepts: ["undo", "done"] });
      if (response.verdict === "undo") throw new Refused(response.reason);
      return id;
    },
    reply: (event, given) => reply(api, event, given),
  };
}

interface Over {
  main: Item;
  /** Once is enough: Exchange may name a guest by another address than the application does. */
  hasInvited?: boolean;
}

function currentOf(api: GraphApi, over: Over): CurrentEvent {
  return {
    version: etagOf(over.main),
    store: async (event, note) => await writeOver(api, inMinutes(event), { ...over, note }),
  };
}

async function writeOver(
  api: GraphApi,
  input: EventToWrite,
  { main: before, note, hasInvited = false }: Over & { note: Note },
): Promise<StoreOutcome | Again> {
  let main = before;
  let merged = await mergedWith(input, main);
  const { tookRemote } = merged;
  const invited = newGuests(main, merged.state.attendees);
  const invitations = hasInvited ? [] : invitationsOf(main, invited);
  if (invitations.length > 0) {
    main = await invitedToExceptions(api, input, { main, invitations });
    return { kind: "again", current: currentOf(api, { main, hasInvited: true }), tookRemote };
  }
  const { body, properties } = await patchOf(api, input, { main, merged });
  if (Object.keys(body).length > 0) {
    const isRewritten = "recurrence" in body || "start" in body;
    main = await patched(api, input, { main, body, properties });
    await note({ externalId: main.id, part: null, version: etagOf(main) });
    const rest = isRewritten ? rewriteOf(input, merged.state) : input;
    if (isSeries(main)) merged = await mergedWith(rest, main, isRewritten);
  }
  return { ...(await finish(api, input, { main, state: merged.state, invited, note })), tookRemote };
}

/** Builds the PATCH of an event from everything that isn't as it is to be. */
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

/** Invites guests to exceptions, and returns the series with its exceptions after they were written. */
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
  note: Note;
}

/** Writes the occurrences that differ from their series, and returns the event as it is stored. */
async function finish(api: GraphApi, input: EventToWrite, finishing: Finishing): Promise<StoreOutcome> {
  const { state } = finishing;
  const main = toIcalRecurrence(state) ? await withExceptions(api, input, finishing) : finishing.main;
  const { parts = {} } = (await inSlices(eventRead(main, null))) ?? {};
  return { kind: "done", externalId: main.id, version: etagOf(main), state: await readAs(main, state), parts };
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
