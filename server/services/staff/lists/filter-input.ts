import { z } from "zod";
import type { FilterValue, ListFilter, ListFilters } from "@/server/domain/staff-lists";
import { MAX_ID } from "@/server/domain/text-limits";
import { text, time } from "@/server/services/fields";

const MOST_VALUES = 20;

type Parsed<Filter extends ListFilter> = Filter["kind"] extends "time" ? z.output<typeof time> : FilterValue<Filter>;
type FilterInput<List extends ListFilters> = {
  -readonly [Name in keyof List]: z.ZodOptional<z.ZodType<Parsed<List[Name]>, FilterValue<List[Name]>>>;
};

/** The optional fields of a procedure's input that narrow a list: all that are given must hold, and one value of each array. */
export function filterInput<List extends ListFilters>(list: List): FilterInput<List> {
  const fields = Object.entries(list).map(([name, filter]) => [name, schemaOf(filter).optional()]);
  // What a schema accepts follows from the kind of its filter, which the entries of an object have lost.
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
