import { filtered, firstOf, type Params, valuesOf } from "@/components/dashboard/address/address";
import type { ColumnSort } from "@/components/ui/table";
import type { Sorts } from "@/server/services/staff/lists/list";

interface Sorted {
  sorts: Sorts;
}

/** Returns the order of a page. Null: the query has one that the list does not know. */
export function sortOf({ sorts }: Sorted, params: Params): string | null {
  const names = Object.keys(sorts);
  const [first = ""] = names;
  const name = firstOf(params, "sort") ?? first;
  return names.includes(name) ? name : null;
}

/** Reports whether a page has another order than its list's first. */
export function isSorted(list: Sorted, params: Params): boolean {
  return sortOf(list, params) !== Object.keys(list.sorts)[0];
}

/** Builds the address of a page in an order, from its first page. */
function sortHref({ sorts }: Sorted, path: string, params: Params, name: string): string {
  const { sets } = sorts[name] ?? {};
  const isFree = sets?.unless.every((filter) => valuesOf(params, filter).length === 0);
  return filtered(path, params, {
    sort: name === Object.keys(sorts)[0] ? null : name,
    ...(isFree && sets?.values),
  });
}

/** Lists the orders of a list as options, each with its address. */
export function sortOptions(list: Sorted, path: string, params: Params) {
  return Object.entries(list.sorts).map(([value, { label }]) => ({
    value,
    label,
    href: sortHref(list, path, params, value),
  }));
}

/**
 * Returns how the columns of a table sort it: each by its orders, one after the other, and then by the list's first.
 * `names`: the orders of a column.
 */
export function columnSorts<List extends Sorted>(list: List, path: string, params: Params) {
  const [first = ""] = Object.keys(list.sorts);
  const current = sortOf(list, params);
  return (...names: (keyof List["sorts"] & string)[]): ColumnSort => {
    const orders: readonly (string | null)[] = names;
    const at = orders.indexOf(current);
    const next = names[at + 1] ?? first;
    const { label = "", about } = list.sorts[next] ?? {};
    return {
      href: sortHref(list, path, params, next),
      direction: at < 0 ? undefined : list.sorts[names[at] ?? ""]?.direction,
      title: `Sort: ${label}${about ? ` (${about})` : ""}`,
    };
  };
}
