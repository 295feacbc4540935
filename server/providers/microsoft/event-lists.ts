import { clock } from "@/server/clock";
import { formatInstant, type Instant } from "@/server/domain/time/instant";
import { down } from "@/server/providers/ask-json";
import { textOf } from "@/server/providers/json-values";
import type { GraphApi, GraphRequest } from "@/server/providers/microsoft/api";
import { type Item, itemsOf } from "@/server/providers/microsoft/item";
import { EVENT_ID_PROPERTY, EXPAND_OWN } from "@/server/providers/microsoft/properties";
import type { ViewToken } from "@/server/providers/microsoft/sync-token";
import { zoneNamed } from "@/server/providers/zone-names";

const A_PAGE = 1_000;
const MOST_PAGES = 200;
/** How far the clocks of Graph's servers may differ: so long what is listed may still get an earlier time than what was read. */
const SKEW_MS = 5 * 60_000;

/**
 * Gives the events that applications have written, wherever they lie in time, with our properties, which change tracking cannot show
 * ("$expand" is not supported on it). By their ids. Null: Graph does not list them, and they have to be asked for one by one.
 */
export async function ownEvents(api: GraphApi, calendarId: string): Promise<Map<string, Item> | null> {
  const named = `singleValueExtendedProperties/any(ep: ep/id eq '${EVENT_ID_PROPERTY}' and ep/value ne null)`;
  const query = { $filter: named, $select: "id", $expand: EXPAND_OWN };
  const items = await listed(api, calendarId, query);
  return items && new Map(items.map((item) => [item.id, item]));
}

/**
 * Lists events and series that were changed since the latest change that was read, with their etags: change tracking gives "no indication" of
 * an occurrence that was deleted, after which its series has another etag.
 */
export async function changedSince(
  api: GraphApi,
  calendarId: string,
  { latest, latestReadAt }: Pick<ViewToken, "latest" | "latestReadAt">,
): Promise<Item[]> {
  if (latest === null) return [];
  const at = Date.parse(latest);
  if (Number.isNaN(at)) throw down("no_time");
  const isSettled = clock().now() - latestReadAt > SKEW_MS;
  const since = isSettled ? `gt ${latest}` : `ge ${formatInstant((at - SKEW_MS) as Instant)}`;
  const $filter = `lastModifiedDateTime ${since}`;
  return (await listed(api, calendarId, { $filter, $select: "id,type,lastModifiedDateTime" })) ?? [];
}

/** Gives the time zone of the mailbox. Null: it is none that is known, or may not be asked for. */
export async function mailboxZone(api: GraphApi): Promise<string | null> {
  const { body } = await api({ kind: "read_settings", path: "/me/mailboxSettings", accepts: ["skip"] });
  return zoneNamed(textOf(body.timeZone) ?? "")?.tzid ?? null;
}

/**
 * Lists the events that a filter selects. Returns null if Graph refuses the filter, which Exchange does not have to
 * know.
 */
async function listed(api: GraphApi, calendarId: string, query: GraphRequest["query"]): Promise<Item[] | null> {
  const items: Item[] = [];
  const path = `/me/calendars/${encodeURIComponent(calendarId)}/events`;
  let request: GraphRequest = { kind: "list_events", path, query: { ...query, $top: A_PAGE } };
  for (let pages = 0; pages < MOST_PAGES; pages += 1) {
    const { verdict, body } = await api({ ...request, accepts: ["skip"] });
    if (verdict !== null) return null;
    for (const item of itemsOf(body.value)) items.push(item);
    const next = textOf(body["@odata.nextLink"]);
    if (next === null) return items;
    request = { kind: "list_events", path: next };
  }
  throw down("too_many_pages");
}
