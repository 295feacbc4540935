import type { EnumRef, InputTypeParam, ObjectRef } from "@pothos/core";
import { builder } from "@/server/graphql/builder";
import { type ConnectionInput, connect, connectionOf, pageArgs } from "@/server/graphql/connection";
import type { GraphqlContext } from "@/server/graphql/context";
import type { Named } from "@/server/graphql/page-after";
import type { StaffCaller } from "@/server/services/staff/api";
import type {
  ChoiceName,
  FilterChoice,
  FilterValues,
  ListFilter,
  ListFilters,
} from "@/server/services/staff/lists/list";
import type { Count, Page } from "@/server/services/staff/lists/paging";

type Types = (typeof builder)["$inferSchemaTypes"];

interface ListFields<List extends ListFilters, Owning extends keyof List, Node extends Named> {
  /** The name of an entry: `Delivery` yields DeliveryConnection and DeliveryFilter. */
  name: string;
  node: ObjectRef<Types, Node>;
  /** The list whose name its fields have. */
  list: { name: string; filters: List };
  /** The documentation of the filter as a whole. */
  about?: string;
  enums: { [Name in ChoiceName<List>]: EnumRef<Types, FilterChoice<List[Name]>> };
  /** Types that have such a list themselves, by the filters that accept their ids. */
  owners: Record<Owning, ObjectRef<Types, Named>>;
  page(api: StaffCaller, input: FilterValues<List> & { after?: string; limit: number }): Promise<Page<Node>>;
  count?(api: StaffCaller, filters: FilterValues<List>): Promise<Count>;
}

/** Adds a staff list to the schema: as a field of the query, which accepts any filter, and of each of its owners. */
export function listFields<List extends ListFilters, Owning extends keyof List, Node extends Named>(
  described: ListFields<List, Owning, Node>,
): void {
  const { name, node, about, enums, owners, page, count } = described;
  const { name: field, filters } = described.list;
  const choices = new Map(Object.entries<EnumRef<Types, string>>(enums));
  const filter = builder.inputType(`${name}Filter`, {
    description: about,
    fields: (t) => {
      const fields = Object.entries(filters).map(([name, filter]) => {
        return [name, t.field({ type: typeOf(filter, choices.get(name)), description: filter.about })] as const;
      });
      return Object.fromEntries(fields);
    },
  });
  const listing = {
    type: connectionOf(name, node, { counted: count !== undefined }),
    description: "Newest first.",
    nullable: true,
    args: { ...pageArgs, ...builder.args((t) => ({ filter: t.field({ type: filter }) })) },
  } as const;
  const connected = (context: GraphqlContext, args: ConnectionInput, filter: Record<string, unknown>) => {
    const narrowed = narrowedBy(filters, filter);
    return connect(context, args, {
      list: (api, range) => page(api, { ...narrowed, ...range }),
      count: count && ((api) => count(api, narrowed)),
    });
  };
  builder.queryField(field, (t) =>
    t.field({ ...listing, resolve: (_, { filter, ...args }, context) => connected(context, args, { ...filter }) }),
  );
  for (const [name, owner] of Object.entries<ObjectRef<Types, Named>>(owners)) {
    builder.objectField(owner, field, (t) =>
      t.field({
        ...listing,
        resolve: ({ id }, { filter, ...args }, context) => connected(context, args, { ...filter, [name]: id }),
      }),
    );
  }
}

const types = {
  id: "ID",
  text: "String",
  texts: ["String"],
  choices: ["String"],
  number: "Int",
  flag: "Boolean",
  only: "Boolean",
  time: "DateTime",
} satisfies Record<ListFilter["kind"], InputTypeParam<Types>>;

function typeOf({ kind }: ListFilter, choice: EnumRef<Types, string> | undefined): InputTypeParam<Types> {
  return choice ? [choice] : types[kind];
}

/** Drops nulls, and false for flags that are true or omitted: GraphQL treats both as omitted. */
function narrowedBy<List extends ListFilters>(filters: List, filter: Record<string, unknown>): FilterValues<List> {
  const isGiven = ([name, value]: [string, unknown]) => value !== null && (value || filters[name]?.kind !== "only");
  // The schema has checked the values against the same filters.
  return Object.fromEntries(Object.entries(filter).filter(isGiven)) as FilterValues<List>;
}
