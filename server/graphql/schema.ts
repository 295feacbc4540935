import "@/server/graphql/resolvers/applications";
import "@/server/graphql/resolvers/accounts";
import "@/server/graphql/resolvers/profiles";
import "@/server/graphql/resolvers/channels";
import "@/server/graphql/resolvers/deliveries";
import "@/server/graphql/resolvers/requests";
import { builder } from "@/server/graphql/builder";

builder.queryType({
  description:
    "Read-only access to what the dashboard shows. Lists return summaries. To read nested data, query a single object by its ID.",
});

/** The whole schema. Kept as text in schema.graphql. */
export const schema = builder.toSchema();
