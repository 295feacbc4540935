import type { Query } from "@/server/db/client";
import { type Composed, runComposed, runComposedOne } from "@/server/db/composed";
import { type Days, daysBetween, everyDay } from "@/server/db/delivery-days";
import { parseTime } from "@/server/domain/time/rfc3339";
import { type PageInput, pulseOfDeliveries } from "@/server/services/staff/deliveries/searches.sql";
import { PAGE, type PageCursor } from "@/server/services/staff/lists/paging";

const DAY_MICROS = 86_400_000_000;
const MICROS_IN_MS = 1_000;

interface Search extends Omit<PageInput, "days"> {
  /** Milliseconds since 1970. */
  now: number;
}

/** The newest that match, at most `limit`: those of the last two days, which fill most pages, and only if they do not, those of all before. */
export async function newest<Row extends object>(
  query: Query,
  page: Composed<PageInput, Row>,
  { now, ...search }: Search,
): Promise<Row[]> {
  const found: Row[] = [];
  for (const days of lookedAt({ now, ...search })) {
    found.push(...(await runComposed(query, page, { ...search, days, limit: search.limit - found.length })));
    if (found.length >= search.limit) break;
  }
  return found;
}

/** The same of a first page: what tells whether there is something new. */
export async function newestPulse(query: Query, { narrowed, now }: Pick<Search, "narrowed" | "now">) {
  const [days = everyDay, ...before] = lookedAt({ narrowed, now });
  const row = await runComposedOne(query, pulseOfDeliveries, { narrowed, days });
  if (before.length === 0 || row.shown >= PAGE) return row;
  return await runComposedOne(query, pulseOfDeliveries, { narrowed, days: everyDay });
}

/** The days of some deliveries. */
export function daysOf(deliveries: readonly PageCursor[]): Days {
  const times = deliveries.map(({ at }) => microsOf(at));
  return daysBetween(Math.min(...times), Math.max(...times) + 1);
}

/** In the order in which they are looked at. The newest have no end: only the database knows what time it is there. */
function lookedAt({
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
