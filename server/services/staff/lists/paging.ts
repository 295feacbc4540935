import { z } from "zod";
import { parseTime } from "@/server/domain/time/rfc3339";
import { refused } from "@/server/services/fields";

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

/** The same in a list that has parts, one after the other. */
export interface PartCursor extends PageCursor {
  part?: number;
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
      const [at = "", id = "", part = "0", ...rest] = Buffer.from(cursor, "base64url").toString().split(" ");
      const isIts = TIME.test(at) && parseTime(at) && forms[ids].test(id) && rest.length === 0;
      if (isIts && /^\d$/.test(part) && Number(part) < parts)
        return parts > 1 ? { at, id, part: Number(part) } : { at, id };
      issues.push(refused(cursor, { key: "errors.invalid" }, "is not the end of a page of this list"));
      return z.NEVER;
    });
  return { after: after.optional(), limit: z.int().min(1).max(LONGEST_PAGE).default(PAGE) };
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

function cursor({ at, id, part }: PartCursor): string {
  return Buffer.from([at, id, ...(part === undefined ? [] : [part])].join(" ")).toString("base64url");
}

/** Formats a count that stopped at one more than the cap. */
export function cappedCount(found: number): Count {
  return { count: Math.min(found, MOST_COUNTED), more: found > MOST_COUNTED };
}
