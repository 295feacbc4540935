import type { ObjectRef } from "@pothos/core";
import { builder, CountType } from "@/server/graphql/builder";
import type { GraphqlContext } from "@/server/graphql/context";
import { positionOf } from "@/server/graphql/cursor";
import { type Edge, MOST, type Named, pageAfter } from "@/server/graphql/page-after";
import { invalid } from "@/server/services/refusal";
import type { StaffCaller } from "@/server/services/staff/api";
import type { Count, Page } from "@/server/services/staff/lists/paging";

const USUAL = 50;

interface Connection<Node> {
  edges: Edge<Node>[];
  pageInfo: PageInfo;
  count: () => Promise<Count>;
}

interface PageInfo {
  hasNextPage: boolean;
  hasPreviousPage: boolean;
  startCursor: string | null;
  endCursor: string | null;
}

export interface ConnectionInput {
  first: number;
  after?: string | null;
}

interface Source<Node> {
  list(api: StaffCaller, page: { after?: string; limit: number }): Promise<Page<Node>>;
  count?(api: StaffCaller): Promise<Count>;
}

const PageInfoType = builder.objectRef<PageInfo>("PageInfo").implement({
  fields: (t) => ({
    hasNextPage: t.exposeBoolean("hasNextPage"),
    hasPreviousPage: t.exposeBoolean("hasPreviousPage", {
      description: "True when the page was requested with `after`.",
    }),
    startCursor: t.exposeString("startCursor", { nullable: true }),
    endCursor: t.exposeString("endCursor", { nullable: true }),
  }),
});

/** The arguments of every connection. */
export const pageArgs = builder.args((t) => ({
  first: t.int({ required: true, defaultValue: USUAL, description: `From 1 to ${MOST}.` }),
  after: t.string({ required: false, description: "Returns the items after this cursor." }),
}));

type Types = (typeof builder)["$inferSchemaTypes"];

/** Creates the types of a connection to nodes. `counted`: it has a total over all pages. */
export function connectionOf<Node extends Named>(
  name: string,
  node: ObjectRef<Types, Node>,
  { counted }: { counted: boolean },
) {
  const edge = builder.objectRef<Edge<Node>>(`${name}Edge`);
  edge.implement({
    fields: (t) => ({
      cursor: t.exposeString("cursor"),
      // Pothos can't tell that a type parameter is an object.
      node: t.field({ type: node, resolve: (it) => it.node as never }),
    }),
  });
  const connection = builder.objectRef<Connection<Node>>(`${name}Connection`);
  connection.implement({
    fields: (t) => ({
      edges: t.field({ type: [edge], resolve: ({ edges }) => edges }),
      pageInfo: t.field({ type: PageInfoType, resolve: ({ pageInfo }) => pageInfo }),
      ...(counted && { total: t.field({ type: CountType, nullable: true, resolve: ({ count }) => count() }) }),
    }),
  });
  return connection;
}

/** Converts a service's page to a connection. */
export async function connect<Node extends Named>(
  { ask, field }: GraphqlContext,
  { first, after }: ConnectionInput,
  { list, count }: Source<Node>,
): Promise<Connection<Node>> {
  const { edges, isMore } = await field(async () => {
    if (first < 1 || first > MOST) throw outside();
    return await pageAfter((page) => ask((api) => list(api, page)), positionOf(after), first);
  });
  return {
    edges,
    pageInfo: {
      hasNextPage: isMore,
      hasPreviousPage: typeof after === "string",
      startCursor: edges.at(0)?.cursor ?? null,
      endCursor: edges.at(-1)?.cursor ?? null,
    },
    count: () => ask(async (api) => (await count?.(api)) ?? { count: edges.length, more: isMore }),
  };
}

function outside() {
  return invalid({ path: ["first"], key: "errors.invalid", description: `first must be from 1 to ${MOST}` });
}
