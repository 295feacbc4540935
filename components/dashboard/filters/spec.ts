import { type Params, valuesOf } from "@/components/dashboard/address/address";
import type { ListFilters } from "@/server/domain/staff-lists";

export interface Option {
  value: string;
  label: string;
}

/** One chip: what the query calls it, and how it is set. */
export type Filter =
  | { kind: "many"; name: string; label: string; options: readonly Option[] }
  | { kind: "one"; name: string; label: string; options: readonly Option[] }
  | { kind: "text"; name: string; label: string; placeholder: string; hint?: string }
  | { kind: "time"; name: "range"; label: string };

/** A chip's words. With options, one of them is chosen; a list of choices has its own values where none are given. */
interface ChipWords {
  label: string;
  options?: readonly Option[];
  placeholder?: string;
  hint?: string;
}

/** `id` and `q` are set in the field for searches, and both times by one chip. */
type ChipName<List extends ListFilters> =
  | Exclude<keyof List & string, "id" | "q" | "from" | "to">
  | (List extends { from: unknown } ? "range" : never);

/** The chips of a list, in the order of their words: a filter without any does not compile. */
export function chipsOf<List extends ListFilters>(list: List, words: Record<ChipName<List>, ChipWords>): Filter[] {
  return Object.entries<ChipWords>(words).map(([name, { label, options, placeholder = "", hint }]): Filter => {
    if (name === "range") return { kind: "time", name, label };
    const filter = list[name];
    if (filter?.kind === "choices") return { kind: "many", name, label, options: options ?? optionsOf(filter.values) };
    if (filter?.kind === "texts") return { kind: "many", name, label, options: options ?? [] };
    return options ? { kind: "one", name, label, options } : { kind: "text", name, label, placeholder, hint };
  });
}

export function optionsOf(values: readonly string[], labels: Readonly<Record<string, string>> = {}): Option[] {
  return values.map((value) => ({ value, label: labels[value] ?? value }));
}

/** What the chip says after its label; null when it is not set. */
export function chosenWords(filter: Exclude<Filter, { kind: "time" }>, params: Params): string | null {
  const values = valuesOf(params, filter.name);
  if (values.length === 0) return null;
  if (filter.kind === "text") return values[0] ?? null;
  const labels = values.map((value) => filter.options.find((option) => option.value === value)?.label ?? value);
  return labels.length > 2 ? `${labels.length} of ${filter.options.length}` : labels.join(", ");
}
