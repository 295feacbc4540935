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
  /** A digest of the parameters that may not change. */
  parameters: string;
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
  const digest = createHash("sha256").update(JSON.stringify(parameters)).digest("base64url").slice(0, 12);
  const pageToken = query.get("pageToken");
  const syncToken = query.get("syncToken");
  if (pageToken !== null) return sameList(decoded("p", pageToken), of, digest, "pageToken");
  if (syncToken === null) return { of, parameters: digest, since: null, start: world.version(), after: "" };
  const cursor = sameList(decoded("s", syncToken), of, digest, "syncToken");
  if ((cursor.since ?? 0) < floor) throw knownErrors.fullSyncRequired();
  return { ...cursor, start: world.version() };
}

/** Field `syncToken`: other parameters should be the same "to avoid undefined behavior"; the fake is strict here [K]. */
function sameList(cursor: Cursor | null, of: string, digest: string, name: string): Cursor {
  // [K]: Google reports a page token that it cannot read as invalid, and such a sync token as expired.
  if (cursor?.of !== of)
    throw name === "syncToken" ? knownErrors.fullSyncRequired() : invalid("Invalid page token value.");
  if (cursor.parameters !== digest) throw invalid("Request parameters differ from those of the initial request.");
  return cursor;
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
