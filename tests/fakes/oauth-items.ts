import type { EventState, RuleSeries } from "@/server/domain/events/event-state";
import { toIcalRecurrence } from "@/server/domain/merge/to-ical-recurrence";
import type { ChangePage, ChangesInput, RemoteEvent } from "@/server/providers/connector";
import type { EventParts, Note, StoreOutcome, WriteInput, Writing } from "@/server/providers/writing";
import type { StoredEvent } from "./oauth-calendars";

export interface Items {
  events: StoredEvent[];
}

type Exception = RuleSeries["changed"][number];
type Send = (path: string, init?: RequestInit) => Promise<StoredEvent>;

/** A page of events from items: exceptions are joined with their series, which is read whole if one of its items is not known. */
export async function pagesOf(
  items: readonly StoredEvent[],
  known: ChangesInput["known"],
  seriesOf: (name: string) => Promise<StoredEvent[]>,
): Promise<ChangePage> {
  const gone = items.filter(({ state, of }) => state === null && of === null).map(({ name }) => name);
  const names = [...new Set(items.map(({ name, of }) => of ?? name))].filter((name) => !gone.includes(name));
  const versions = await known(names);
  const events: RemoteEvent[] = [];
  for (const name of names) {
    const { version = null, parts = {} } = versions.get(name) ?? {};
    const isKnown = ({ name, of, etag, state }: StoredEvent) =>
      of === null ? etag === version : parts[name] === (state === null ? undefined : etag);
    const own = items.filter((item) => item.name === name || item.of === name);
    if (!own.every(isKnown)) events.push(joined(name, isSeries(own) ? await seriesOf(name) : own));
    else if (own.some(({ of }) => of === null)) events.push(joined(name, own, parts));
  }
  return { events, gone, faults: [] };
}

function isSeries(items: readonly StoredEvent[]): boolean {
  return items.some(({ of, state }) => of !== null || (state as EventState | null)?.ruleSeries);
}

function joined(name: string, items: readonly StoredEvent[], known?: EventParts): RemoteEvent {
  const main = items.find((item) => item.name === name);
  const parts = items.filter(({ of, state }) => of !== null && state !== null);
  const state = main?.state as EventState;
  const changed = parts.map((part) => part.state as Exception);
  const ruleSeries = state.ruleSeries && { ...state.ruleSeries, changed };
  const etags = known ?? Object.fromEntries(parts.map((part) => [part.name, part.etag]));
  return { externalId: name, version: main?.etag ?? null, parts: etags, state: asRead({ ...state, ruleSeries }) };
}

/** A provider hands over repetition as iCalendar writes it. */
function asRead(state: EventState): EventState {
  return { ...state, ruleSeries: null, icalRecurrence: toIcalRecurrence(state) };
}

/** Writes events over the version that is known, each of their exceptions as an item of its own. */
export function itemsWriting(send: Send): Writing {
  const store = (event: WriteInput, note: Note) => writeItems(send, event, note);
  return {
    read: async ({ version }) => ({ version, store }),
    create: (event, _, note) => store(event, note),
    remove: async (event) => (await store(event, async () => {})).externalId,
    reply: async () => {
      throw new Error("nobody is invited here");
    },
  };
}

async function writeItems(send: Send, event: WriteInput, note: Note): Promise<StoreOutcome> {
  const { calendarId, name, version, state, parts: before = {} } = event;
  const externalId = event.externalId ?? name;
  const put = async (item: string, body: object | null, etag: string | null | undefined) => {
    const of = item === externalId ? "" : `?of=${externalId}`;
    const headers: Record<string, string> = etag ? { "if-match": etag } : {};
    const method = body === null ? "DELETE" : "PUT";
    const init = { method, headers, ...(body !== null && { body: JSON.stringify(body) }) };
    const stored = await send(`/${calendarId}/events/${item}${of}`, init);
    const part = item === externalId ? null : item;
    await note({ externalId, part, version: body && stored.etag });
    return stored.etag;
  };
  if (state === null) {
    await put(externalId, null, version);
    return { kind: "done", externalId, version: null, state: null };
  }
  const { ruleSeries } = state;
  const etag = await put(externalId, { ...state, ruleSeries: ruleSeries && { ...ruleSeries, changed: [] } }, version);
  const parts: Record<string, string> = {};
  for (const exception of ruleSeries?.changed ?? []) {
    const item = `${externalId}_${exception.day}`;
    parts[item] = await put(item, exception, before[item]);
  }
  for (const item of Object.keys(before)) if (!(item in parts)) await put(item, null, before[item]);
  return { kind: "done", externalId, version: etag, parts, state: asRead(state) };
}
