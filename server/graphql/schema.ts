import "@/server/graphql/resolvers/applications";
import "@/server/graphql/resolvers/accounts";
import "@/server/graphql/resolvers/profiles";
import "@/server/graphql/resolvers/channels";
import "@/server/graphql/resolvers/deliveries";
import "@/server/graphql/resolvers/requests";
import { builder } from "@/server/graphql/builder";

builder.queryType({
  description:
    "What staff look at, read only. A list gives summaries: what stands below a thing is asked for by the thing's id, so that no list costs a call for each of its rows.",
});

/** All that can be asked for. Kept as text in schema.graphql. */
export const schema = builder.toSchema();
