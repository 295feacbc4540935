import type { Query } from "@/server/db/client";
import { type Composed, runComposed, runComposedOne } from "@/server/db/composed";
import { parseTime } from "@/server/domain/time/rfc3339";
import { type PageInput, pulseOfDeliveries } from "@/server/services/staff/deliveries/searches.sql";
import { PAGE, type PageCursor } from "@/server/services/staff/lists/paging";
import { type Days, daysBetween, everyDay } from "@/server/store/deliveries/days";

const DAY_MICROS = 86_400_000_000;
const MICROS_IN_MS = 1_000;

interface Search extends Omit<PageInput, "days"> {
  /** In milliseconds since 1970. */
  now: number;
}

/**
 * Reads the newest matching rows, at most `limit`: first those of the last two days, which fill most pages, and the
 * older ones only if needed.
 */
export async function newestRows<Row extends object>(
  query: Query,
  page: Composed<PageInput, Row>,
  { now, ...search }: Search,
): Promise<Row[]> {
  const newest: Row[] = [];
  for (const days of daysToRead({ now, ...search })) {
    newest.push(...(await runComposed(query, page, { ...search, days, limit: search.limit - newest.length })));
    if (newest.length >= search.limit) break;
  }
  return newest;
}

/** Reads the first page's pulse, which changes when there is something new, in the same way. */
export async function newestPulse(query: Query, { narrowed, now }: Pick<Search, "narrowed" | "now">) {
  const [days = everyDay, ...before] = daysToRead({ narrowed, now });
  const row = await runComposedOne(query, pulseOfDeliveries, { narrowed, days });
  if (before.length === 0 || row.shown >= PAGE) return row;
  return await runComposedOne(query, pulseOfDeliveries, { narrowed, days: everyDay });
}

/** Reads the oldest matching rows, at most `limit`. */
export async function oldestRows<Row extends object>(
  query: Query,
  page: Composed<PageInput, Row>,
  { narrowed, after, limit }: Omit<Search, "now">,
): Promise<Row[]> {
  const from = Math.max(
    narrowed.from ?? Number.NEGATIVE_INFINITY,
    after ? microsOf(after.at) : Number.NEGATIVE_INFINITY,
  );
  const days = narrowed.delivery
    ? daysOf([narrowed.delivery])
    : daysBetween(from, narrowed.to ?? Number.POSITIVE_INFINITY);
  return await runComposed(query, page, { narrowed, after, limit, days, isOldestFirst: true });
}

/** Returns the days of some deliveries. */
export function daysOf(deliveries: readonly PageCursor[]): Days {
  const times = deliveries.map(({ at }) => microsOf(at));
  return daysBetween(Math.min(...times), Math.max(...times) + 1);
}

/**
 * Returns the ranges of days in the order in which they are read. The newest range has no end: only the database knows
 * the current time there.
 */
function daysToRead({
  narrowed: { delivery, from, to },
  after,
  now,
}: Pick<Search, "narrowed" | "after" | "now">): Days[] {
  if (delivery) return [daysOf([delivery])];
  const end = Math.min(to ?? Number.POSITIVE_INFINITY, after ? microsOf(after.at) + 1 : Number.POSITIVE_INFINITY);
  const begin = from ?? Number.NEGATIVE_INFINITY;
  const newestDay = Math.floor((Math.min(end, now * MICROS_IN_MS) - 1) / DAY_MICROS);
  const turn = (newestDay - 1) * DAY_MICROS;
  return turn <= begin ? [daysBetween(begin, end)] : [daysBetween(turn, end), daysBetween(begin, turn)];
}

function microsOf(at: string): number {
  return parseTime(at)?.micros ?? Number.NaN;
}
