import { z } from "zod";
import { parseTime } from "@/server/domain/time/rfc3339";
import { refused } from "@/server/services/fields";

/** So many rows a list has unless another number is requested. */
export const PAGE = 50;
const LONGEST_PAGE = 100;
const LONGEST_CURSOR = 300;
/** Counting stops here: "more than 10,000" is all that a list says. */
export const MOST_COUNTED = 10_000;

/** The place after which a page begins: the time of its last row, to the microsecond as the database writes it, and the row's id. */
export interface PageCursor {
  at: string;
  id: string;
}

export interface Page<Row> {
  items: Row[];
  /** What to ask for next; null on the last page. */
  next: string | null;
}

export interface Count {
  count: number;
  /** There are more than were counted. */
  more: boolean;
}

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/;

/** What the ids of a list's rows look like, as the database reads them. */
const forms = {
  uuid: /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/,
  number: /^\d{1,18}$/,
  acc: /^(acc|apc)_\w{1,64}$/,
  chn: /^chn_\w{1,64}$/,
  whd: /^whd_\w{1,64}$/,
};

/** The fields that every list takes, newest first. `ids`: what its rows are named by; no other list's cursor is taken. */
export function paging(ids: keyof typeof forms) {
  const after = z
    .string()
    .max(LONGEST_CURSOR)
    .transform((cursor, { issues }): PageCursor => {
      const [at = "", id = "", ...rest] = Buffer.from(cursor, "base64url").toString().split(" ");
      if (TIME.test(at) && parseTime(at) && forms[ids].test(id) && rest.length === 0) return { at, id };
      issues.push(refused(cursor, { key: "errors.invalid" }, "is not the end of a page of this list"));
      return z.NEVER;
    });
  return { after: after.optional(), limit: z.int().min(1).max(LONGEST_PAGE).default(PAGE) };
}

/** How statements write the time of a `Place`. */
export const placeTime = (column: string) => `to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;

/** The same of a time that was stored to the millisecond. */
export const placeAt = (at: Date) => at.toISOString().replace("Z", "000Z");

/** The page of rows that were read one more than requested. */
export function pageOf<Row, Item>(
  rows: readonly Row[],
  { limit, place, item }: { limit: number; place: (row: Row) => PageCursor; item: (row: Row) => Item },
): Page<Item> {
  const kept = rows.slice(0, limit);
  const last = kept.at(-1);
  const next = last && rows.length > limit ? cursor(place(last)) : null;
  return { items: kept.map(item), next };
}

function cursor({ at, id }: PageCursor): string {
  return Buffer.from(`${at} ${id}`).toString("base64url");
}

/** A count that stopped at one more than the cap. */
export function counted(found: number): Count {
  return { count: Math.min(found, MOST_COUNTED), more: found > MOST_COUNTED };
}
