import type { Database } from "@/server/db/client";
import { type Composed, runComposedOne } from "@/server/db/composed";
import { recentEntries } from "@/server/recent-entries";
import type { AccountPage, PageAssumptions, PageRequest, PageResult } from "@/server/store/events/pages/statement";

/** Accounts are remembered of whose pages less can be assumed, for an hour. */
const MOST_KNOWN = 20_000;
const KNOWN_MS = 3_600_000;
const unusual = recentEntries<PageAssumptions & { until: number }>(MOST_KNOWN);
const USUAL: PageAssumptions = { short: true, fits: true };

/** Reads a page in one statement that assumes what is true of most (ADR 56), and where that is not so again without. */
export async function fetchPage(
  page: Composed<PageRequest, PageResult>,
  request: AccountPage,
  { db, now }: { db: Database; now: number },
): Promise<PageResult> {
  const remembered = unusual.get(request.accountId);
  let { short, fits } = remembered && remembered.until > now ? remembered : USUAL;
  for (;;) {
    const result = await runComposedOne(db.query, page, { assumed: { short, fits }, ...request });
    const { short: isShort = true, fits: isFitting = true } = result;
    if (isShort && isFitting) return result;
    [short, fits] = [short && isShort, fits && isFitting];
    unusual.set(request.accountId, { short, fits, until: now + KNOWN_MS });
  }
}
