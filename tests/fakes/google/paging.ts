import { createHash } from "node:crypto";
import { invalid, knownErrors } from "./errors";
import type { World } from "./state";

/** An item of a list and the key that orders it. */
export interface Keyed<T> {
  key: string;
  item: T;
}

/** Where a list stands; page tokens and sync tokens carry it. */
interface Cursor {
  /** The collection. */
  of: string;
  /** A digest of the parameters that may not change from sync to sync. */
  parameters: string;
  /** A digest of the whole query, for the pages of one list. */
  query: string;
  /** Changes after this one are wanted; null in a full list. */
  since: number | null;
  /** The last change before the first page: the next sync token starts there, so no change between pages is lost. */
  start: number;
  /** The key of the last item on the page before. */
  after: string;
}

export interface Listing {
  /** The collection, with the account that reads it. */
  of: string;
  /** What must stay the same from page to page and from sync to sync. */
  parameters: Record<string, string[]>;
  query: URLSearchParams;
  /** Sync tokens of before this change are expired. */
  floor: number;
  pageSize: number;
  /** Whether the last page has a nextSyncToken. */
  isSyncable: boolean;
}

export interface Page<T> {
  items: T[];
  nextPageToken?: string;
  nextSyncToken?: string;
}

/** One page of a list, full or incremental. `read` is given the change since which items are wanted. */
export function page<T>(world: World, listing: Listing, read: (since: number | null) => Keyed<T>[]): Page<T> {
  const cursor = cursorOf(world, listing);
  const ahead = read(cursor.since)
    .filter(({ key }) => key > cursor.after)
    .sort((one, other) => (one.key < other.key ? -1 : 1));
  const here = ahead.slice(0, listing.pageSize);
  const items = here.map(({ item }) => item);
  if (ahead.length > here.length) {
    return { items, nextPageToken: encoded("p", { ...cursor, after: here.at(-1)?.key ?? "" }) };
  }
  if (!listing.isSyncable) return { items };
  return { items, nextSyncToken: encoded("s", { ...cursor, since: cursor.start, after: "" }) };
}

function cursorOf(world: World, { of, parameters, query, floor }: Listing): Cursor {
  const now = { of, parameters: digest(parameters), query: digest(wholeQuery(query)) };
  const pageToken = query.get("pageToken");
  const syncToken = query.get("syncToken");
  if (pageToken !== null) {
    const cursor = decoded("p", pageToken);
    // [K]: the text for a page token that cannot be read.
    if (cursor?.of !== of) throw invalid("Invalid page token value.");
    // The sync guide: "perform the exact same list query as was used for retrieval of the first page (with the exact same syncToken)".
    if (cursor.query !== now.query) throw otherParameters();
    return cursor;
  }
  if (syncToken === null) return { ...now, since: null, start: world.version(), after: "" };
  const cursor = decoded("s", syncToken);
  // [K]: a token that cannot be read is answered as an expired one.
  if (cursor?.of !== of || (cursor.since ?? 0) < floor) throw knownErrors.fullSyncRequired();
  // The sync guide: "Each list request should use the same set of query parameters, including the initial request", else 400.
  if (cursor.parameters !== now.parameters) throw otherParameters();
  return { ...cursor, ...now, start: world.version() };
}

const otherParameters = () => invalid("Request parameters differ from those of the initial request.");

const digest = (value: object) => createHash("sha256").update(JSON.stringify(value)).digest("base64url").slice(0, 12);

/** The query without what may differ between pages: the size of the page, and the parameters of the transport. */
function wholeQuery(query: URLSearchParams): [string, string][] {
  const free = new Set(["pageToken", "maxResults", "alt", "fields", "key", "prettyPrint", "quotaUser"]);
  return [...query].filter(([name]) => !free.has(name)).sort();
}

const encoded = (kind: "p" | "s", cursor: Cursor) =>
  `${kind}${Buffer.from(JSON.stringify(cursor)).toString("base64url")}`;

function decoded(kind: "p" | "s", token: string): Cursor | null {
  if (!token.startsWith(kind)) return null;
  try {
    return JSON.parse(Buffer.from(token.slice(1), "base64url").toString()) as Cursor;
  } catch {
    return null;
  }
}

/** The parameters of a query that are among these, in a fixed order. */
export function chosen(query: URLSearchParams, names: string[]): Record<string, string[]> {
  return Object.fromEntries(names.filter((name) => query.has(name)).map((name) => [name, query.getAll(name)]));
}

/** A position as a key that sorts as text. */
export const sortable = (value: number) => String(Math.trunc(value) + 10 ** 15).padStart(17, "0");
