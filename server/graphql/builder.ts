import SchemaBuilder from "@pothos/core";
import type { GraphqlContext } from "@/server/graphql/context";
import type { Count } from "@/server/services/staff/lists/paging";
import type { StoredBody } from "@/server/services/staff/requests/shapes";

/** What the types of the schema are put together with. A field is there unless it says that it may be null. */
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

/** An enum whose values are those of the services in capitals. */
export function enumOf<const Value extends string>(name: string, values: readonly Value[]) {
  const named = values.map((value) => [value.toUpperCase(), { value }] as const);
  return builder.enumType(name, { values: Object.fromEntries(named) as Record<string, { value: Value }> });
}

type GivenFilter<Filter> = { [Name in keyof Filter]?: NonNullable<Filter[Name]> };

/** A filter without the fields that are null, which GraphQL takes for left out. */
export function given<Filter extends object>(filter: Filter | null | undefined): GivenFilter<Filter> {
  return Object.fromEntries(Object.entries(filter ?? {}).filter(([, value]) => value !== null)) as GivenFilter<Filter>;
}
