import { clock } from "@/server/clock";
import type { Instant } from "@/server/domain/time/instant";
import { down } from "@/server/providers/ask-json";
import type { ChangePage, ChangesEnd, ChangesInput, KnownVersion } from "@/server/providers/connector";
import type { GraphApi } from "@/server/providers/microsoft/api";
import { changedSince, ownEvents } from "@/server/providers/microsoft/event-lists";
import { etagOf, type Item } from "@/server/providers/microsoft/item";
import { liesWithin } from "@/server/providers/microsoft/lies-within";
import { type Reading, read } from "@/server/providers/microsoft/read-pages";
import { itemsById } from "@/server/providers/microsoft/series-items";
import { tokenOf, tokenText, type ViewToken } from "@/server/providers/microsoft/sync-token";
import { changesOf, viewOf } from "@/server/providers/microsoft/view-pages";
import { laterOf, newRows, type SeriesRows, takeRow, type ViewRows } from "@/server/providers/microsoft/view-rows";

type Pages = AsyncGenerator<ChangePage, ChangesEnd>;

/** Series are asked for in batches, and stored before the next ones are asked for. */
const ASKED_AT_ONCE = 100;
/** From so many events on the list of all that applications wrote takes fewer requests than asking for each. */
const MOST_ASKED = 60;

/**
 * Reads what is in a window of a calendar, or what changed in it since the sync token: events and series with their
 * exceptions, never expanded. Throws `sync_token_expired` for a token that Graph refuses, which may come after pages.
 */
export function changes(api: GraphApi, input: ChangesInput): Pages {
  return input.syncToken === null ? everything(api, input) : changed(api, input, tokenOf(input.syncToken));
}

/**
 * Reads single events page by page, then the series. What applications wrote is present wherever it lies in time: it is
 * never taken for gone because it was moved out of the window.
 */
async function* everything(api: GraphApi, input: ChangesInput): Pages {
  const { calendarId, window } = input;
  const reading: Reading = { api, input, present: new Set() };
  const own = await ownEvents(api, calendarId);
  const rows = newRows();
  let query: string | null = null;
  for await (const page of viewOf(api, calendarId, window)) {
    for (const item of page.items) takeRow(rows, item);
    const gone = [...rows.removed].filter((id) => reading.present.delete(id));
    if (gone.length > 0) yield { events: [], gone, faults: [] };
    const singles = [...rows.singles.values()];
    for (const { id } of singles) reading.present.add(id);
    yield* own ? read(withProperties(singles, own), reading) : readSingles(singles, reading);
    rows.singles.clear();
    rows.removed.clear();
    query = page.query;
  }
  yield* readSeries(rows, reading);
  yield* readBeyond([...(own?.values() ?? [])], reading);
  const syncToken = next(query, rows, { window, latest: null, latestReadAt: now() });
  return { syncToken, present: reading.present, window, validUntil: null };
}

async function* changed(api: GraphApi, input: ChangesInput, token: ViewToken): Pages {
  const { calendarId } = input;
  const reading: Reading = { api, input, present: new Set() };
  const rows = newRows(token.latest);
  let query: string | null = null;
  for await (const page of changesOf(api, calendarId, token)) {
    for (const item of page.items) takeRow(rows, item);
    query = page.query;
  }
  // After the round: what changes between the two is then in this list, or in the next round.
  await takeListed(rows, await changedSince(api, calendarId, token), input);
  yield* readRemoved([...rows.removed], reading, token);
  yield* readSingles([...rows.singles.values()], reading);
  yield* readSeries(rows, reading);
  return { syncToken: next(query, rows, token), present: null, window: null, validUntil: null };
}

function next(query: string | null, { latest }: ViewRows, before: Omit<ViewToken, "query">): string {
  if (query === null) throw down("no_delta_link");
  const latestReadAt = latest === before.latest ? before.latestReadAt : now();
  return tokenText({ ...before, query, latest, latestReadAt });
}

function now(): Instant {
  return clock().now() as Instant;
}

/** Takes in listed series of which change tracking says nothing, if they are known and have another etag now. */
async function takeListed(rows: ViewRows, items: readonly Item[], input: ChangesInput): Promise<void> {
  const series = items.filter(({ type }) => type === "seriesMaster");
  const known = await input.known(series.map(({ id }) => id));
  for (const item of items) rows.latest = laterOf(rows.latest, item);
  for (const item of series) {
    const entry = rows.series.get(item.id);
    const isOld = known.get(item.id)?.version === etagOf(item);
    if (entry) entry.etag ??= etagOf(item);
    else if (known.has(item.id) && !isOld) takeRow(rows, item);
  }
}

function withProperties(items: readonly Item[], own: ReadonlyMap<string, Item>): Item[] {
  return items.map((item) => {
    const properties = own.get(item.id)?.singleValueExtendedProperties;
    return { ...item, singleValueExtendedProperties: properties };
  });
}

/** Reads single events that changed. Events that an application may have written are requested with our properties. */
async function* readSingles(items: readonly Item[], reading: Reading): AsyncGenerator<ChangePage> {
  const { api, input } = reading;
  const known = await input.known(items.map(({ id }) => id));
  const isNew = (item: Item) => known.get(item.id)?.version !== etagOf(item);
  const isAsked = (item: Item) => known.has(item.id) || typeof item.transactionId === "string";
  const fresh = items.filter(isNew);
  const asked = fresh.filter(isAsked).map(({ id }) => id);
  yield* read(
    fresh.filter((item) => !isAsked(item)),
    reading,
  );
  const own = asked.length > MOST_ASKED ? await ownEvents(api, input.calendarId) : null;
  yield* own ? read(withProperties(fresh.filter(isAsked), own), reading) : readAsked(asked, reading);
}

/** Reads events by their ids. Those that were deleted in the meantime are in the next round. */
async function* readAsked(ids: readonly string[], reading: Reading): AsyncGenerator<ChangePage> {
  for (let from = 0; from < ids.length; from += ASKED_AT_ONCE) {
    const found = await itemsById(reading.api, reading.input.calendarId, ids.slice(from, from + ASKED_AT_ONCE));
    yield* read([...found.values()], reading);
  }
}

/** Reads series with everything that they have if something was said of them, unless all of that is stored already. */
async function* readSeries(rows: ViewRows, reading: Reading): AsyncGenerator<ChangePage> {
  const { api, input, present } = reading;
  const all = [...rows.series];
  for (let from = 0; from < all.length; from += ASKED_AT_ONCE) {
    const some = all.slice(from, from + ASKED_AT_ONCE);
    const known = await input.known(some.flatMap(([id, { ids }]) => [id, ...ids]));
    const unknown = some.filter(([id, one]) => !isKnown(one, known.get(id)));
    for (const [id] of some) present.add(id);
    const ids = unknown.map(([id]) => id);
    const found = await itemsById(api, input.calendarId, ids);
    for (const item of found.values()) rows.latest = laterOf(rows.latest, item);
    // An occurrence to which the user was invited alone belongs to its series once they have that.
    const alone = some.flatMap(([id, one]) => [...one.ids].filter((part) => known.has(part) && found.has(id)));
    if (alone.length > 0) yield { events: [], gone: alone, faults: [] };
    yield* read([...found.values()], reading);
    const missing = unknown.filter(([id]) => !found.has(id));
    for (const [id] of missing) present.delete(id);
    const gone = missing.map(([id]) => id).filter((id) => known.has(id));
    if (gone.length > 0) yield { events: [], gone, faults: [] };
    // Of a series to one occurrence of which the user was invited there is that occurrence alone.
    const orphans = missing.flatMap(([, one]) => [...one.ids]);
    yield* readAsked(orphans, reading);
  }
}

/**
 * Reports whether everything that was said of a series is stored already, as after our own writes. Occurrences have
 * nothing of their own.
 */
function isKnown({ etag, exceptions }: SeriesRows, known: KnownVersion | undefined): boolean {
  if (!known || etag === null || known.version !== etag) return false;
  return [...exceptions].every(([id, own]) => own !== null && known.parts[id] === own);
}

/**
 * Reads events that left the view. Such an event is gone or lies outside of the window now. An event that lies within
 * it is in another calendar now.
 */
async function* readRemoved(
  ids: readonly string[],
  reading: Reading,
  { window }: ViewToken,
): AsyncGenerator<ChangePage> {
  const { api, input } = reading;
  const known = await input.known(ids);
  const asked = ids.filter((id) => known.has(id));
  const found = await itemsById(api, input.calendarId, asked);
  const moved = [...found.values()].filter((item) => !liesWithin(item, window));
  const outside = new Set(moved.map(({ id }) => id));
  const gone = asked.filter((id) => !outside.has(id));
  if (gone.length > 0) yield { events: [], gone, faults: [] };
  yield* read(moved, reading);
}

/** Reads what applications wrote outside of the window, if it is known and changed. */
async function* readBeyond(own: readonly Item[], reading: Reading): AsyncGenerator<ChangePage> {
  const { input, present } = reading;
  const beyond = own.filter(({ id }) => !present.has(id));
  for (const { id } of beyond) present.add(id);
  const known = await input.known(beyond.map(({ id }) => id));
  const isChanged = (item: Item) => known.has(item.id) && known.get(item.id)?.version !== etagOf(item);
  yield* readAsked(
    beyond.filter(isChanged).map(({ id }) => id),
    reading,
  );
}
