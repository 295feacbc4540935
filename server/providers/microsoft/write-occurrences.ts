import { type Day, formatDay } from "@/server/domain/time/day";
import { textOf } from "@/server/providers/json-values";
import type { GraphApi, GraphRequest, GraphResponse } from "@/server/providers/microsoft/api";
import { batched } from "@/server/providers/microsoft/batch";
import { etagOf, type Item, itemsOf } from "@/server/providers/microsoft/item";
import { AS_TEXT, eventPath, itemRequest } from "@/server/providers/microsoft/series-items";
import { textBody, type WrittenBody } from "@/server/providers/microsoft/write-body";
import { type ExceptionWrite, itemsByDay } from "@/server/providers/microsoft/write-exceptions";
import { faultOf, handled, hasFailed, itemIn } from "@/server/providers/microsoft/write-faults";
import { ChangedSince, type PartVersion } from "@/server/providers/writing";

export interface Series {
  calendarId: string;
  main: Item;
  /** Where it names no zone that is known. */
  tzid: string | null;
}

/** A year and a half of a daily series, on one page ("$top"). */
const DAYS_A_LOOK = 500;
const MOST_A_PAGE = 1_000;
const MOST_PAGES = 200;

/** Gives the ids of occurrences that are as their series. One that is not there has none. */
export async function occurrenceIds(
  api: GraphApi,
  { calendarId, main, tzid }: Series,
  days: readonly Day[],
): Promise<Map<Day, string>> {
  const found = new Map<Day, string>();
  const wanted = new Set(days);
  for (let left = [...wanted].sort((a, b) => a - b); left[0] !== undefined; ) {
    const from = left[0];
    const some = left.filter((day) => day < from + DAYS_A_LOOK);
    left = left.slice(some.length);
    const last = some.at(-1) ?? from;
    const query = {
      // The date of an occurrence in its zone may be the next one or the one before in UTC.
      startDateTime: `${formatDay((from - 1) as Day)}T00:00:00Z`,
      endDateTime: `${formatDay((last + 2) as Day)}T00:00:00Z`,
      ...{ $select: "id,type,originalStart,start,end", $top: MOST_A_PAGE },
    };
    const path = `${eventPath(calendarId, main.id)}/instances`;
    const items = await pagesOf(api, { kind: "read_event", path, query });
    for (const [day, { id }] of itemsByDay(main, tzid, items)) if (wanted.has(day)) found.set(day, id);
  }
  return found;
}

async function pagesOf(api: GraphApi, first: GraphRequest): Promise<Item[]> {
  const items: Item[] = [];
  let next: GraphRequest | null = first;
  for (let pages = 0; next !== null && pages < MOST_PAGES; pages += 1) {
    const { body }: GraphResponse = await api(next);
    items.push(...itemsOf(body.value));
    const link = textOf(body["@odata.nextLink"]);
    next = link === null ? null : { kind: first.kind, path: link };
  }
  return items;
}

/** Bodies of occurrences whose description changes, with what a meeting has appended to them. */
export type BodyFor = (write: ExceptionWrite) => Promise<WrittenBody | null>;

interface ToWrite extends Series {
  writes: readonly ExceptionWrite[];
  bodyFor: BodyFor;
  /** What the series says itself when its occurrences are written. */
  last: readonly GraphRequest[];
  note(part: PartVersion): Promise<void>;
}

/**
 * Writes occurrences one after the other and reads the series again, in one batch if it has room.
 * @returns the series with its exceptions
 */
export async function writeOccurrences(
  api: GraphApi,
  { calendarId, main, tzid, writes, bodyFor, last, note }: ToWrite,
): Promise<Item> {
  const unknown = writes.flatMap(({ day, before }) => (before ? [] : [day]));
  const ids =
    unknown.length > 0 ? await occurrenceIds(api, { calendarId, main, tzid }, unknown) : new Map<Day, string>();
  const named: { id: string; request: GraphRequest }[] = [];
  for (const write of writes) {
    const id = write.before?.id ?? ids.get(write.day);
    if (id !== undefined) named.push({ id, request: await requestOf(eventPath(calendarId, id), write, bodyFor) });
  }
  const requests = named.map(({ request }) => request);
  const done = await batched(api, [...requests, ...last, itemRequest(calendarId, main.id)]);
  const after = done.at(-1);
  if (!after) throw new ChangedSince();
  const item = itemIn(after);
  for (const [i, { id }] of named.entries()) {
    const response = done[i];
    const [written] = response?.verdict === null ? itemsOf([response.body]) : [];
    if (response?.verdict === null)
      await note({ externalId: main.id, part: id, version: written ? etagOf(written) : null });
  }
  await note({ externalId: main.id, part: null, version: etagOf(item) });
  const failed = done.find(hasFailed);
  if (failed) throw faultOf(failed);
  return item;
}

async function requestOf(path: string, write: ExceptionWrite, bodyFor: BodyFor): Promise<GraphRequest> {
  if (write.body === null) return { kind: "delete_event", method: "DELETE", path, accepts: handled };
  const body = write.description === null ? null : ((await bodyFor(write)) ?? textBody(write.description));
  return {
    ...{ kind: "change_event", method: "PATCH", path, body: { ...write.body, ...(body && { body }) } },
    ...{ prefer: [AS_TEXT], accepts: handled },
  };
}
