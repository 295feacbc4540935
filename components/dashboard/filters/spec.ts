import { type Params, valuesOf } from "@/components/dashboard/address/address";
import type { ListFilters } from "@/server/services/staff/lists/list";

export interface Option {
  value: string;
  label: string;
}

/** A value typed instead of chosen, with its own name in the query. */
export interface Typed {
  name: string;
  label: string;
  placeholder: string;
}

/** One chip: its name in the query, and how it is set. */
export type Filter =
  | { kind: "many"; name: string; label: string; options: readonly Option[]; typed?: Typed }
  | { kind: "one"; name: string; label: string; options: readonly Option[] }
  | { kind: "text"; name: string; label: string; placeholder: string; hint?: string }
  | { kind: "time"; name: "range"; label: string };

/**
 * Builds the chips of a list, in the order of its filters. `given`: options that only the page knows. A page of one
 * application offers no choice of it.
 */
export function chipsOf<List extends { filters: ListFilters }>(
  { filters }: List,
  given: { [Name in keyof List["filters"]]?: readonly Option[] },
): Filter[] {
  const known: Readonly<Record<string, readonly Option[] | undefined>> = given;
  return Object.entries(filters).flatMap(([name, filter]): Filter[] => {
    if (!filter.chip || (name === "application" && !known.application)) return [];
    const { label, placeholder = "", hint, words = {}, options: values, typed } = filter.chip;
    if (filter.kind === "time") return [{ kind: "time", name: "range", label }];
    const own = filter.kind === "choices" ? filter.values : Object.keys(words);
    const options = known[name] ?? optionsOf(values ?? own, words);
    if (filter.kind === "choices" || filter.kind === "texts") return [{ kind: "many", name, label, options, typed }];
    if (options.length > 0 || known[name]) return [{ kind: "one", name, label, options }];
    return [{ kind: "text", name, label, placeholder, hint }];
  });
}

export function optionsOf(values: readonly string[], labels: Readonly<Record<string, string>> = {}): Option[] {
  return values.map((value) => ({ value, label: labels[value] ?? value }));
}

/** Formats the chip's value after its label. Null: it is not set. */
export function chosenWords(filter: Exclude<Filter, { kind: "time" }>, params: Params): string | null {
  const typed = filter.kind === "many" && filter.typed ? valuesOf(params, filter.typed.name) : [];
  const values = [...valuesOf(params, filter.name), ...typed];
  if (values.length === 0) return null;
  if (filter.kind === "text") return values[0] ?? null;
  const labels = values.map((value) => filter.options.find((option) => option.value === value)?.label ?? value);
  return labels.length > 2 ? `${labels.length} of ${filter.options.length}` : labels.join(", ");
}
