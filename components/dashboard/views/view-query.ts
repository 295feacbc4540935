import { address, type Params, valuesOf } from "@/components/dashboard/address/address";
import { ranges } from "@/components/dashboard/address/time-range";
import { VIEW } from "@/components/dashboard/address/view";
import { queriedFilters } from "@/components/dashboard/filters/queried";
import { filterInput } from "@/server/services/staff/lists/filter-input";
import type { ListFilters, Sorts } from "@/server/services/staff/lists/list";
import { type SavedView, viewedLists } from "@/server/services/staff/views/shapes";

interface Viewed {
  filters: ListFilters;
  sorts: Sorts;
}

/** What the query of a saved view still means to its list. */
interface ReadView {
  params: Record<string, string[]>;
  /** What the list does not know, or no longer accepts: "color", "state: gone". */
  ignored: string[];
}

/** Reads the query of a saved view by the filters and orders that its list has today. */
export function readView(list: Viewed, query: string): ReadView {
  const params: ReadView["params"] = {};
  const ignored = new Set<string>();
  for (const [name, value] of new URLSearchParams(query)) {
    const is = isKnown(list, name, value);
    if (is === "known") params[name] = [...(params[name] ?? []), value];
    else ignored.add(is === "unknown" ? name : `${name}: ${value}`);
  }
  return { params, ignored: [...ignored] };
}

type Known = "known" | "refused" | "unknown";

function isKnown({ filters, sorts }: Viewed, name: string, value: string): Known {
  const refusedUnless = (isRight: boolean): Known => (isRight ? "known" : "refused");
  if (name === "sort") return refusedUnless(Object.hasOwn(sorts, value));
  const isTimed = Object.values(filters).some(({ kind }) => kind === "time");
  if (name === "range" && isTimed) return refusedUnless(ranges.some((range) => range.value === value));
  const filter = Object.hasOwn(filters, name) ? filters[name] : undefined;
  if (!filter) return "unknown";
  const only = { [name]: filter };
  const read = queriedFilters({ filters: only }, { [name]: value }, 0)[name];
  return refusedUnless(read !== undefined && filterInput(only)[name]?.safeParse(read).success === true);
}

/** Returns the part of a page's query that a view saves: its filters and its order. */
export function savedQuery(list: Viewed, params: Params): string {
  const names = ["sort", "range", ...Object.keys(list.filters)];
  const kept = Object.fromEntries(names.map((name) => [name, valuesOf(params, name)]));
  return address("", kept).slice(1);
}

/** Builds the address of a view: the page with what of its query is still known. */
export function viewHref({ id, list: name, query }: Pick<SavedView, "id" | "list" | "query">): string {
  const list = viewedLists[name];
  return address(list.path, { ...readView(list, query).params, [VIEW]: id });
}
