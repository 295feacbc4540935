import { type Params, valuesOf } from "@/components/dashboard/address/address";

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

/** What the chip says after its label; null when it is not set. */
export function chosenWords(filter: Exclude<Filter, { kind: "time" }>, params: Params): string | null {
  const values = valuesOf(params, filter.name);
  if (values.length === 0) return null;
  if (filter.kind === "text") return values[0] ?? null;
  const labels = values.map((value) => filter.options.find((option) => option.value === value)?.label ?? value);
  return labels.length > 2 ? `${labels.length} of ${filter.options.length}` : labels.join(", ");
}
