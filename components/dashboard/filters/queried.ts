import { type Params, valuesOf } from "@/components/dashboard/address/address";
import { rangeOf } from "@/components/dashboard/address/time-range";
import type { ListFilter, ListFilters } from "@/server/services/staff/lists/list";

/** The values read from a query for a filter of each kind. */
interface ReadValues extends Record<"id" | "text" | "time", string>, Record<"texts" | "choices", string[]> {
  number: number | string;
  flag: boolean | string;
  only: true | string;
}
export type QueriedFilters<List extends { filters: ListFilters }> = {
  -readonly [Name in keyof List["filters"]]?: ReadValues[List["filters"][Name]["kind"]];
};

/**
 * Reads a list's filters from the query of a page. It may contain anything: procedures reject what they do not know.
 */
export function queriedFilters<List extends { filters: ListFilters }>(
  { filters }: List,
  params: Params,
  now: number,
): QueriedFilters<List> {
  const range: Params = { ...rangeOf(params, now) };
  const read = Object.entries(filters).map(([name, { kind }]) => {
    return [name, readValue(kind, valuesOf(kind === "time" ? range : params, name))];
  });
  // The value's type follows from the kind of the filter, which the entries of an object have lost.
  return Object.fromEntries(read) as QueriedFilters<List>;
}

function readValue(kind: ListFilter["kind"], values: string[]): ReadValues[typeof kind] | undefined {
  const [value] = values;
  switch (kind) {
    case "texts":
    case "choices":
      return values.length > 0 ? values : undefined;
    case "number":
      return value !== undefined && /^\d{3}$/.test(value) ? Number(value) : value;
    case "flag":
      return value === "true" ? true : value === "false" ? false : value;
    case "only":
      return value === "true" ? true : value;
    default:
      return value;
  }
}
