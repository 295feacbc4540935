import { type Params, valuesOf } from "@/components/dashboard/address/address";
import type { ListFilter, ListFilters } from "@/server/domain/staff-lists";

/** What is read of a query for a filter of each kind. */
interface ReadValues extends Record<"id" | "text", string>, Record<"texts" | "choices", string[]> {
  number: number | string;
  flag: boolean;
  only: true | string;
  /** `rangeOf` reads times. */
  time: undefined;
}
type ReadFilters<List extends ListFilters> = { -readonly [Name in keyof List]?: ReadValues[List[Name]["kind"]] };

/** What the query says of a list's filters. It may be anything: procedures refuse what they do not know. */
export function queriedFilters<List extends ListFilters>(list: List, params: Params): ReadFilters<List> {
  const read = Object.entries(list).map(([name, { kind }]) => [name, readValue(kind, valuesOf(params, name))]);
  // What is read follows from the kind of the filter, which the entries of an object have lost.
  return Object.fromEntries(read) as ReadFilters<List>;
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
      return value === "true" ? true : value === "false" ? false : undefined;
    case "only":
      return value === "true" ? true : value;
    case "time":
      return undefined;
    default:
      return value;
  }
}
