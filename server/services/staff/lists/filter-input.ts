import { z } from "zod";
import { MAX_ID } from "@/server/domain/text-limits";
import { text, time } from "@/server/services/fields";
import type { FilterValue, ListFilter, ListFilters } from "@/server/services/staff/lists/list";

const MOST_VALUES = 20;

type Parsed<Filter extends ListFilter> = Filter["kind"] extends "time" ? z.output<typeof time> : FilterValue<Filter>;
type FilterInput<List extends ListFilters> = {
  -readonly [Name in keyof List]: z.ZodOptional<z.ZodType<Parsed<List[Name]>, FilterValue<List[Name]>>>;
};

/**
 * Builds the optional fields of a procedure's input that narrow a list: all that are set must hold, and one value of
 * each array.
 */
export function filterInput<List extends ListFilters>(list: List): FilterInput<List> {
  const fields = Object.entries(list).map(([name, filter]) => [name, schemaOf(filter).optional()]);
  // The schema's type follows from the filter's kind, which Object.entries does not preserve.
  return Object.fromEntries(fields) as FilterInput<List>;
}

function schemaOf(filter: ListFilter): z.ZodType {
  switch (filter.kind) {
    case "id":
    case "text":
      return text({ min: 1, max: filter.max ?? MAX_ID });
    case "texts":
      return z.array(text({ min: 1, max: filter.max })).max(MOST_VALUES);
    case "choices":
      return z.array(z.enum(filter.values)).max(MOST_VALUES);
    case "number":
      return z.int().min(filter.min).max(filter.max);
    case "flag":
      return z.boolean();
    case "only":
      return z.literal(true);
    case "time":
      return time;
  }
}
