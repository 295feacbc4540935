import { cursorOf, type Position, strayCursor } from "@/server/graphql/cursor";
import type { Page } from "@/server/services/staff/lists/paging";

export const MOST = 100;
/** The most pages searched for a node that newer ones have pushed down. */
const MOST_LOOKS = 5;

export interface Named {
  id: string;
}

export interface Edge<Node> {
  cursor: string;
  node: Node;
}

export type List<Node> = (page: { after?: string; limit: number }) => Promise<Page<Node>>;

interface PageFound<Node> {
  edges: Edge<Node>[];
  isMore: boolean;
}

/**
 * Returns the edges after a position. A service's page has a cursor for its last row alone, so the cursor of another
 * edge is its page's beginning and its id. Throws invalid.
 */
export async function pageAfter<Node extends Named>(
  list: List<Node>,
  { start, id }: Position,
  first: number,
): Promise<PageFound<Node>> {
  if (id === undefined) return found(await list({ after: start, limit: first }), start);
  let from = start;
  for (let looks = 0; looks < MOST_LOOKS; looks += 1) {
    const page = await list({ after: from, limit: MOST });
    const index = page.items.findIndex((node) => node.id === id);
    if (index >= 0) return rest(list, { ...found(page, from), next: page.next }, { skipped: index + 1, first });
    if (page.next === null) break;
    from = page.next;
  }
  throw strayCursor();
}

async function rest<Node extends Named>(
  list: List<Node>,
  { edges, next }: PageFound<Node> & { next: string | null },
  { skipped, first }: { skipped: number; first: number },
): Promise<PageFound<Node>> {
  const kept = edges.slice(skipped, skipped + first);
  if (next === null || kept.length === first) {
    return { edges: kept, isMore: next !== null || edges.length > skipped + first };
  }
  const more = found(await list({ after: next, limit: first - kept.length }), next);
  return { edges: [...kept, ...more.edges], isMore: more.isMore };
}

function found<Node extends Named>({ items, next }: Page<Node>, start: string | undefined): PageFound<Node> {
  const edges = items.map((node, index) => ({
    node,
    cursor: cursorOf(next !== null && index === items.length - 1 ? { start: next } : { start, id: node.id }),
  }));
  return { edges, isMore: next !== null };
}

/** Splits a complete list into pages. Throws invalid. */
export function inPages<Node extends Named>(all: readonly Node[]): List<Node> {
  return async ({ after, limit }) => {
    const last = after === undefined ? -1 : all.findIndex(({ id }) => id === after);
    if (last < 0 && after !== undefined) throw strayCursor();
    const items = all.slice(last + 1, last + 1 + limit);
    return { items, next: all.length > last + 1 + limit ? (items.at(-1)?.id ?? null) : null };
  };
}
