import { address, newerTrail, olderTrail, type Params, valuesOf } from "@/components/dashboard/address/address";
import { LinkButton } from "@/components/ui/button";

interface PagerProps {
  path: string;
  params: Params;
  /** The cursor of the next page. Null on the last. */
  next: string | null;
  /** Its pages are not in the order of time. */
  isSorted?: boolean;
}

/** Links to the pages before and after: the query has the end of the trail of cursors that led here. */
export function Pager({ path, params, next, isSorted = false }: PagerProps) {
  const trail = valuesOf(params, "after");
  if (trail.length === 0 && !next) return null;
  const newer = newerTrail(trail);
  const words = isSorted ? sorted : byTime;
  const to = (after: string[]) => address(path, params, { after, open: null });
  return (
    <nav aria-label="Pages" className="flex items-center gap-2 px-6 max-sm:px-4 py-3">
      {trail.length > 1 && (
        <LinkButton look="quiet" href={to([])}>
          {words.first}
        </LinkButton>
      )}
      {newer && (
        <LinkButton data-newer="" href={to(newer)}>
          ← {words.before}
        </LinkButton>
      )}
      {next && (
        <LinkButton data-older="" href={to(olderTrail(trail, next))}>
          {words.after} →
        </LinkButton>
      )}
    </nav>
  );
}

const byTime = { first: "Newest", before: "Newer", after: "Older" };
const sorted = { first: "First page", before: "Previous", after: "Next" };
