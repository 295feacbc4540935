import type { Pieces } from "@/server/domain/pieces";
import { inSlices, slices } from "@/server/event-loop";
import type {
  ChangePage,
  ChangesEnd,
  ChangesInput,
  EventToRead,
  KnownVersion,
  RemoteEvent,
} from "@/server/providers/connector";
import type { GoogleApi } from "@/server/providers/google/api";
import { type EventListRequest, eventPages } from "@/server/providers/google/event-pages";
import { etagOf, type Item, isCancelled, isSeries, seriesOf } from "@/server/providers/google/item";
import { eventRead, partsOf } from "@/server/providers/google/read-series";
import { itemsOfSeries } from "@/server/providers/google/series-items";
import { textOf } from "@/server/providers/json-values";

const STORED_AT_ONCE = 200;

type Pages = AsyncGenerator<ChangePage, ChangesEnd>;

/**
 * Reads what is in a calendar, or what changed in it since the sync token: series and their exceptions as Google keeps
 * them, never expanded. Throws `sync_token_expired` for a token that Google refuses, which may come after pages.
 */
export function changes(api: GoogleApi, input: ChangesInput): Pages {
  return input.syncToken === null ? everything(api, input) : changed(api, input);
}

/** Reads one event with all its exceptions, as a read of changes does. */
export async function eventNow(api: GoogleApi, { calendarId, externalId, tzid }: EventToRead): Promise<ChangePage> {
  const whole = await itemsOfSeries(api, { calendarId, id: externalId, main: null });
  if (!whole) return { events: [], gone: [externalId], faults: [] };
  const event = await attempted(eventRead(whole, tzid), slices());
  return { events: event ? [event] : [], gone: [], faults: [] };
}

/** Reads single events page by page, and series after the last page, because exceptions may be on any page, even before their series. */
async function* everything(api: GoogleApi, input: ChangesInput): Pages {
  const present = new Set<string>();
  const series = new Map<string, Item>();
  const exceptions = new Map<string, Map<string, Item>>();
  let end = { syncToken: null as string | null, tzid: null as string | null };
  for await (const page of eventPages(api, requestOf(input))) {
    const singles: Item[] = [];
    const gone: string[] = [];
    // Of an event that changed between two pages the last says what it is now.
    for (const item of new Map(page.items.map((one) => [one.id, one])).values()) {
      const of = seriesOf(item);
      if (of !== null) entryOf(exceptions, of, () => new Map()).set(item.id, item);
      else if (isCancelled(item) && present.delete(item.id)) gone.push(item.id);
      else if (isCancelled(item)) series.delete(item.id);
      else if (isSeries(item)) series.set(item.id, item);
      else singles.push(item);
    }
    end = { syncToken: page.syncToken, tzid: page.tzid };
    if (gone.length > 0) yield { events: [], gone, faults: [] };
    yield* read(singles.map(alone), { input, tzid: page.tzid, present });
  }
  const whole = [...series.values()].map((main) => ({
    main,
    exceptions: [...(exceptions.get(main.id)?.values() ?? [])],
  }));
  // Of a series to one occurrence of which the user was invited there is that occurrence alone.
  const orphans = [...exceptions]
    .filter(([of]) => !series.has(of))
    .flatMap(([, items]) => [...items.values()].filter(isThere));
  yield* read([...whole, ...orphans.map(alone)], { input, tzid: end.tzid, present });
  return { syncToken: end.syncToken, present, window: null, validUntil: null };
}

function entryOf<Value>(map: Map<string, Value>, name: string, create: () => Value): Value {
  const value = map.get(name) ?? create();
  map.set(name, value);
  return value;
}

async function* changed(api: GoogleApi, input: ChangesInput): Pages {
  const items = new Map<string, Item>();
  let end = { syncToken: null as string | null, tzid: null as string | null };
  for await (const page of eventPages(api, requestOf(input))) {
    for (const item of page.items) items.set(item.id, item);
    end = { syncToken: page.syncToken, tzid: page.tzid };
  }
  const together = new Map<string, Item[]>();
  for (const item of items.values()) entryOf(together, seriesOf(item) ?? item.id, () => []).push(item);
  const known = await input.known([...new Set([...together.keys(), ...items.keys()])]);
  const gone: string[] = [];
  const events: WithExceptions[] = [];
  for (const [id, own] of together) {
    const found = await asOne(api, { input, id, items: own, known });
    gone.push(...found.gone);
    events.push(...found.events);
  }
  if (gone.length > 0) yield { events: [], gone, faults: [] };
  yield* read(events, { input, tzid: end.tzid, present: new Set() });
  return { syncToken: end.syncToken, present: null, window: null, validUntil: null };
}

interface WithExceptions {
  main: Item;
  exceptions: readonly Item[];
}

const alone = (main: Item): WithExceptions => ({ main, exceptions: [] });
const isThere = (item: Item) => !isCancelled(item);

interface Changed {
  input: ChangesInput;
  id: string;
  items: readonly Item[];
  known: ReadonlyMap<string, KnownVersion>;
}

/**
 * Reads an event with all its exceptions, of which only some have changed. The exceptions of a series are requested,
 * unless every change is known.
 */
async function asOne(
  api: GoogleApi,
  { input, id, items, known }: Changed,
): Promise<{ events: WithExceptions[]; gone: string[] }> {
  const main = items.find((item) => item.id === id);
  const exceptions = items.filter((item) => item.id !== id);
  if (main && isCancelled(main)) return { events: [], gone: [id, ...knownAmong(exceptions, known)] };
  if (main && !isSeries(main)) return { events: [alone(main)], gone: knownAmong(exceptions, known) };
  if (isKnown(items, id, known.get(id))) return { events: [], gone: [] };
  const uid = textOf(items.find(({ iCalUID }) => iCalUID)?.iCalUID);
  const whole = await itemsOfSeries(api, { calendarId: input.calendarId, id, main: main ?? null, uid });
  if (!whole) {
    const there = exceptions.filter(isThere);
    const cancelled = exceptions.filter(isCancelled).map((item) => item.id);
    return { events: there.map(alone), gone: [...(known.has(id) ? [id] : []), ...cancelled] };
  }
  // An occurrence to which the user was invited alone belongs to its series once they have that.
  const before = await input.known(whole.exceptions.map((item) => item.id));
  return { events: [whole], gone: knownAmong(whole.exceptions, before) };
}

function knownAmong(items: readonly Item[], known: ReadonlyMap<string, KnownVersion>): string[] {
  return items.map((item) => item.id).filter((id) => known.has(id));
}

/** Reports whether every change that was reported is stored already, as after our own writes. */
function isKnown(items: readonly Item[], id: string, known: KnownVersion | undefined): boolean {
  // Whose etag was left open is to be read, also if its exceptions alone are reported.
  if (!known || known.version === null) return false;
  const parts = partsOf(items.filter((item) => item.id !== id));
  const main = items.find((item) => item.id === id);
  const isMain = !main || etagOf(main) === known.version;
  return isMain && Object.entries(parts).every(([part, etag]) => known.parts[part] === etag);
}

interface Reading {
  input: ChangesInput;
  /** The calendar's. */
  tzid: string | null;
  /** Takes the names of what is there. */
  present: Set<string>;
}

/** Reads events that are not known yet, in pages. One that cannot be read is a fault, and stops none of the others. */
async function* read(events: readonly WithExceptions[], { input, tzid, present }: Reading): AsyncGenerator<ChangePage> {
  const pause = slices();
  for (let from = 0; from < events.length; from += STORED_AT_ONCE) {
    const some = events.slice(from, from + STORED_AT_ONCE);
    for (const { main } of some) present.add(main.id);
    const known = await input.known(some.map(({ main }) => main.id));
    const page: ChangePage = { events: [], gone: [], faults: [] };
    for (const one of some) {
      const { main, exceptions } = one;
      const stored = known.get(main.id);
      if (stored && isKnown([main, ...exceptions], main.id, stored) && hasSameParts(stored, exceptions)) continue;
      const event = await attempted(eventRead(one, tzid), pause);
      if (event) page.events.push(event);
      else page.faults.push({ externalId: main.id, reason: "unreadable" });
    }
    yield page;
  }
}

function hasSameParts({ parts }: KnownVersion, exceptions: readonly Item[]): boolean {
  return Object.keys(parts).length === exceptions.length;
}

/**
 * Reads one event and returns null if the reader fails, so that the others are read whatever a stranger's event does to
 * it.
 */
async function attempted(work: Pieces<RemoteEvent | null>, pause: ReturnType<typeof slices>) {
  try {
    return await inSlices(work, pause);
  } catch {
    return null;
  }
}

/**
 * Asks for series as they are, and for deleted events: without them a sync token may not be used ("syncToken"), and
 * series would have no cancelled occurrences.
 */
function requestOf({ calendarId, syncToken }: ChangesInput): EventListRequest {
  const kind = syncToken === null ? "list_events" : "list_event_changes";
  return { kind, calendarId, query: { singleEvents: false, showDeleted: true, syncToken } };
}
