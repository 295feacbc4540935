import SchemaBuilder from "@pothos/core";
import type { GraphqlContext } from "@/server/graphql/context";
import type { Count } from "@/server/services/staff/lists/paging";
import type { StoredBody } from "@/server/services/staff/requests/shapes";

/** Builds the types of the schema. A field is non-null unless it says otherwise. */
export const builder = new SchemaBuilder<{
  Context: GraphqlContext;
  DefaultFieldNullability: false;
  Scalars: {
    ID: { Input: string; Output: string };
    DateTime: { Input: string; Output: string };
    JSON: { Input: StoredBody; Output: StoredBody };
  };
}>({ defaultFieldNullability: false });

builder.scalarType("DateTime", {
  description: "An ISO 8601 time in UTC: `2026-11-21T09:30:00.000Z`. Filters accept any offset.",
  serialize: (value) => value,
});

builder.scalarType("JSON", { description: "A request or response body of any shape.", serialize: (value) => value });

export const CountType = builder.objectRef<Count>("Count").implement({
  description: "The number of items on all pages, counted up to 10,000.",
  fields: (t) => ({
    count: t.exposeInt("count"),
    more: t.exposeBoolean("more", { description: "There are more items than `count`." }),
  }),
});

export interface Header {
  name: string;
  value: string;
}

export const HeaderType = builder.objectRef<Header>("Header").implement({
  fields: (t) => ({ name: t.exposeString("name"), value: t.exposeString("value") }),
});

export function headersOf(headers: Record<string, string> | null): Header[] {
  return Object.entries(headers ?? {}).map(([name, value]) => ({ name, value }));
}

/** Creates an enum from a service's values, in capitals; `2xx` is STATUS_2XX. */
export function enumOf<const Value extends string>(
  name: string,
  values: readonly Value[],
  about: Partial<Record<Value, string>> = {},
) {
  const nameOf = (value: Value) => value.toUpperCase().replace(/^\d/, "STATUS_$&");
  const named = values.map((value) => [nameOf(value), { value, description: about[value] }] as const);
  return builder.enumType(name, { values: Object.fromEntries(named) as Record<string, { value: Value }> });
}
