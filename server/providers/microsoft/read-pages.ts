import type { Pieces } from "@/server/domain/pieces";
import { inSlices, slices } from "@/server/event-loop";
import type { ChangePage, ChangesInput, EventToRead, KnownVersion, RemoteEvent } from "@/server/providers/connector";
import type { GraphApi } from "@/server/providers/microsoft/api";
import { mailboxZone } from "@/server/providers/microsoft/event-lists";
import { etagOf, type Item, isSeries } from "@/server/providers/microsoft/item";
import { eventRead, partsOf } from "@/server/providers/microsoft/read-series";
import { namesNoZone } from "@/server/providers/microsoft/read-times";
import { itemOf } from "@/server/providers/microsoft/series-items";

const STORED_AT_ONCE = 200;

export interface Reading {
  api: GraphApi;
  input: ChangesInput;
  /** Takes the names of what is there. */
  present: Set<string>;
  /** The mailbox's, asked for once it is needed. */
  zone?: Promise<string | null>;
}

/** Reads events that are not known yet, in pages, each whole. One that cannot be read is a fault, and stops none of the others. */
export async function* read(items: readonly Item[], reading: Reading): AsyncGenerator<ChangePage> {
  const { input, present } = reading;
  const pause = slices();
  for (let from = 0; from < items.length; from += STORED_AT_ONCE) {
    const some = items.slice(from, from + STORED_AT_ONCE);
    for (const { id } of some) present.add(id);
    const known = await input.known(some.map(({ id }) => id));
    const unknown = some.filter((item) => !isStored(item, known.get(item.id)));
    const tzid = await zoneFor(unknown, reading);
    const page: ChangePage = { events: [], gone: [], faults: [] };
    for (const item of unknown) {
      const event = await attempted(eventRead(item, tzid), pause);
      if (event) page.events.push(event);
      else page.faults.push({ externalId: item.id, reason: "unreadable" });
    }
    if (page.events.length + page.faults.length > 0) yield page;
  }
}

/** Reads one event with all its exceptions, as a read of changes does. */
export async function eventNow(api: GraphApi, { calendarId, externalId }: EventToRead): Promise<ChangePage> {
  const item = await itemOf(api, calendarId, externalId);
  if (!item) return { events: [], gone: [externalId], faults: [] };
  const event = await attempted(eventRead(item, await zoneFor([item], { api })), slices());
  return { events: event ? [event] : [], gone: [], faults: [] };
}

/** Reports whether an event, or a series with all its exceptions, is stored as it is. */
function isStored(item: Item, known: KnownVersion | undefined): boolean {
  if (!known || known.version === null || known.version !== etagOf(item)) return false;
  if (!isSeries(item)) return true;
  const parts = Object.entries(partsOf(item));
  return parts.length === Object.keys(known.parts).length && parts.every(([id, etag]) => known.parts[id] === etag);
}

async function zoneFor(items: readonly Item[], reading: Pick<Reading, "api" | "zone">): Promise<string | null> {
  const isNeeded = items.some((item) => namesNoZone(item) && (isSeries(item) || item.isAllDay !== true));
  if (!isNeeded) return null;
  reading.zone ??= mailboxZone(reading.api);
  return await reading.zone;
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
