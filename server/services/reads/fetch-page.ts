import type { Database } from "@/server/db/client";
import { type Composed, runComposedOne } from "@/server/db/composed";
import {
  type AskedPage,
  type Assumed,
  isFirstOfMany,
  type PageRequest,
  type PageResult,
} from "@/server/db/pages/statement";
import { recentEntries } from "@/server/recent-entries";

const DAY_MS = 86_400_000;
/** What is known of pages of which less can be assumed, or more, for an hour. */
const MOST_KNOWN = 20_000;
const KNOWN_MS = 3_600_000;
const accounts = recentEntries<Pick<Assumed, "short" | "fits"> & Known>(MOST_KNOWN);
const filledBy = recentEntries<Pick<Assumed, "days"> & Known>(MOST_KNOWN);
const USUAL = { short: true, fits: true };
/** More than any window has. */
const ALL_DAYS = 100_000;
/** What a short page may take less. */
const SPARE_DAYS = 8;

interface Known {
  until: number;
}

/**
 * The page of a read, in one statement that assumes what is true of most (ADR 56). What is assumed is seldom not so: then it is read again,
 * without that.
 */
export async function fetchPage(
  page: Composed<PageRequest, PageResult>,
  request: AskedPage,
  { db, now }: { db: Database; now: number },
): Promise<PageResult> {
  const { accountId, rows } = request;
  const until = now + KNOWN_MS;
  const key = isFirstOfMany(request) ? pageKey(request, now) : null;
  let days = key === null ? null : (stillKnown(filledBy.get(key), now)?.days ?? null);
  let usual = stillKnown(accounts.get(accountId), now) ?? USUAL;
  for (;;) {
    const result = await runComposedOne(db.query, page, { assumed: { days, ...usual }, ...request });
    const { short = true, fits = true, filled = true } = result;
    if (short && fits && filled) {
      if (key !== null) rememberDays({ key, days, until, result, rows });
      return result;
    }
    if (!short || !fits) {
      usual = { short: usual.short && short, fits: usual.fits && fits };
      accounts.set(accountId, { ...usual, until });
    }
    if (!filled) days = null;
  }
}

interface Answer extends Pick<Assumed, "days">, Known {
  key: string;
  result: PageResult;
  /** How many were asked for. */
  rows: number;
}

/** Those that were looked up, with one more for what is deleted meanwhile. Where a page takes far less than was assumed, they are looked up again. */
function rememberDays({ key, days, until, result, rows }: Answer): void {
  const needed = Math.min((result.days ?? ALL_DAYS) + 1, ALL_DAYS);
  if (days === null) filledBy.set(key, { days: needed, until });
  else if (result.found >= rows && days > 2 * needed + SPARE_DAYS) filledBy.delete(key);
}

function stillKnown<Value extends Known>(value: Value | undefined, now: number): Value | undefined {
  return value && value.until > now ? value : undefined;
}

/** First pages that are filled by as many days: of the same question, asked on another day. */
function pageKey({ accountId, endpoint, frame, calendarIds }: AskedPage, now: number): string {
  const { managed, includeDeleted, from } = frame;
  const daysBefore = Math.round((now - from) / DAY_MS);
  return [accountId, endpoint, managed, includeDeleted, daysBefore, ...(calendarIds ?? [])].join(" ");
}
