import { z } from "zod";
import { parseTime } from "@/server/domain/time/rfc3339";
import { refused } from "@/server/services/fields";
import { invalid } from "@/server/services/refusal";
import type { Sorts } from "@/server/services/staff/lists/list";

/** The default number of rows of a list. */
export const PAGE = 50;
const LONGEST_PAGE = 100;
const LONGEST_CURSOR = 300;
/** Counting stops here: above it a list only says "more than 10,000". */
export const MOST_COUNTED = 10_000;

/**
 * The position after which a page begins: the time of its last row, to the microsecond as the database writes it, and
 * the row's id.
 */
export interface PageCursor {
  at: string;
  id: string;
}

/** The same in a list that has parts, one after the other, or another order than its first. */
export interface PartCursor extends PageCursor {
  part?: number;
  /** The order that the page had. */
  sort?: string;
  /** The number that its last row is sorted by, as the database writes it. */
  value?: string;
}

export interface Page<Row> {
  items: Row[];
  /** The cursor of the next page; null on the last page. */
  next: string | null;
}

export interface Count {
  count: number;
  /** Whether there are more than were counted. */
  more: boolean;
}

const ORDER = /^[a-z][a-zA-Z0-9]{0,30}$/;
const NUMBER = /^[\d.e+-]{1,30}$/;
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/;

/** The formats of a list's row ids, as the database reads them. */
const forms = {
  uuid: /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/,
  number: /^\d{1,18}$/,
  acc: /^(acc|apc)_\w{1,64}$/,
  chn: /^chn_\w{1,64}$/,
  whd: /^whd_\w{1,64}$/,
};

/**
 * Builds the paging fields of every list, newest first in each of its parts. `ids`: the kind of its rows' ids; another
 * list's cursor is refused.
 */
export function paging(ids: keyof typeof forms, { parts = 1 } = {}) {
  const after = z
    .string()
    .max(LONGEST_CURSOR)
    .transform((cursor, { issues }): PartCursor => {
      const [at = "", id = "", part = "0", sort, value, ...rest] = Buffer.from(cursor, "base64url")
        .toString()
        .split(" ");
      const isIts = TIME.test(at) && parseTime(at) && forms[ids].test(id) && rest.length === 0;
      const isSorted = ORDER.test(sort ?? "newest") && NUMBER.test(value ?? "0");
      if (isIts && isSorted && /^\d$/.test(part) && Number(part) < parts) {
        return { at, id, ...(parts > 1 && { part: Number(part) }), ...(sort && { sort }), ...(value && { value }) };
      }
      issues.push(refused(cursor, { key: "errors.invalid" }, NOT_ITS_END));
      return z.NEVER;
    });
  return { after: after.optional(), limit: z.int().min(1).max(LONGEST_PAGE).default(PAGE) };
}

const NOT_ITS_END = "is not the end of a page of this list";

/** Builds the field that orders a list. Omitted: the first of its orders. */
export function sorting<List extends Sorts>(sorts: List) {
  const names = Object.keys(sorts) as (keyof List & string)[];
  return { sort: z.enum(names as [keyof List & string, ...(keyof List & string)[]]).default(names[0] as never) };
}

/** Checks that a cursor is of a page in this order. Throws invalid. */
export function expectOrder({ after, sort }: { after?: PartCursor; sort: string }, sorts: Sorts): void {
  if (after === undefined || (after.sort ?? Object.keys(sorts)[0]) === sort) return;
  throw invalid({ path: ["after"], key: "errors.invalid", description: `after ${NOT_ITS_END} in this order` });
}

/** Returns SQL that writes the time of a `PageCursor`. */
export const placeTime = (column: string) => `to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;

/** Formats the time of a cursor that was stored to the millisecond. */
export const placeAt = (at: Date) => at.toISOString().replace("Z", "000Z");

/** Builds the page from rows that were read with one more than requested. */
export function pageOf<Row, Item>(
  rows: readonly Row[],
  { limit, place, item }: { limit: number; place: (row: Row) => PartCursor; item: (row: Row) => Item },
): Page<Item> {
  const kept = rows.slice(0, limit);
  const last = kept.at(-1);
  const next = last && rows.length > limit ? cursor(place(last)) : null;
  return { items: kept.map(item), next };
}

function cursor({ at, id, part, sort, value }: PartCursor): string {
  const sorted = sort === undefined ? [part] : [part ?? 0, sort, value];
  return Buffer.from([at, id, ...sorted.filter((one) => one !== undefined)].join(" ")).toString("base64url");
}

/** Formats a count that stopped at one more than the cap. */
export function cappedCount(found: number): Count {
  return { count: Math.min(found, MOST_COUNTED), more: found > MOST_COUNTED };
}
