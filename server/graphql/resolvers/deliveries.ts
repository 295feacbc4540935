import { errorClasses } from "@/server/domain/staff-lists";
import { builder, enumOf, given } from "@/server/graphql/builder";
import { type ConnectionInput, connect, connectionOf, pageArgs } from "@/server/graphql/connection";
import type { GraphqlContext } from "@/server/graphql/context";
import { Account } from "@/server/graphql/resolvers/accounts";
import { Application } from "@/server/graphql/resolvers/applications";
import { Channel } from "@/server/graphql/resolvers/channels";
import { Delivery, StateEnum, Summary, TypeEnum } from "@/server/graphql/resolvers/delivery";

const statusClasses = {
  STATUS_2XX: { value: "2xx" },
  STATUS_3XX: { value: "3xx" },
  STATUS_4XX: { value: "4xx" },
  STATUS_5XX: { value: "5xx" },
  NONE: { value: "none", description: "No response, or no attempt yet." },
} as const;

const Filter = builder.inputType("DeliveryFilter", {
  description:
    "A delivery must match every field, and one value of each list. On an account, application or channel, its own ID takes precedence.",
  fields: (t) => ({
    state: t.field({ type: [StateEnum] }),
    errorClass: t.field({ type: [enumOf("ErrorClass", errorClasses)] }),
    statusClass: t.field({ type: [builder.enumType("DeliveryStatusClass", { values: statusClasses })] }),
    application: t.id(),
    account: t.id({ description: "An ID, or a full email." }),
    channel: t.id(),
    host: t.string({ description: "Full host of the callback URL." }),
    type: t.field({ type: [TypeEnum] }),
    from: t.field({ type: "DateTime", description: "Created at or after this time." }),
    to: t.field({ type: "DateTime", description: "Created before this time." }),
    late: t.boolean({ description: "Only deliveries with an attempt that has been due for over 30 seconds." }),
    id: t.id({
      description: "ID of a delivery, channel, account or application, or of the request that created the channel.",
    }),
    q: t.string({ description: "Search: any of these IDs, or the beginning of an endpoint, a domain or an email." }),
  }),
});

const listing = {
  type: connectionOf("Delivery", Summary, { counted: true }),
  description: "Newest first.",
  nullable: true,
  args: { ...pageArgs, ...builder.args((t) => ({ filter: t.field({ type: Filter }) })) },
} as const;

function list(context: GraphqlContext, args: ConnectionInput, { late, ...filters }: typeof Filter.$inferInput) {
  const narrowed = { ...given(filters), ...(late && { late }) };
  return connect(context, args, {
    list: (api, page) => api.deliveries.list({ ...narrowed, ...page }),
    count: (api) => api.deliveries.count(narrowed),
  });
}

builder.queryField("delivery", (t) =>
  t.field({
    type: Delivery,
    description: "One delivery with its attempts. Reading it is recorded in the audit log.",
    nullable: true,
    args: { id: t.arg.id({ required: true }) },
    resolve: (_, { id }, { ask }) => ask((api) => api.deliveries.get({ id })),
  }),
);

builder.queryField("deliveries", (t) =>
  t.field({ ...listing, resolve: (_, { filter, ...args }, context) => list(context, args, { ...filter }) }),
);

builder.objectField(Application, "deliveries", (t) =>
  t.field({
    ...listing,
    resolve: ({ id }, { filter, ...args }, context) => list(context, args, { ...filter, application: id }),
  }),
);

builder.objectField(Account, "deliveries", (t) =>
  t.field({
    ...listing,
    resolve: ({ id }, { filter, ...args }, context) => list(context, args, { ...filter, account: id }),
  }),
);

builder.objectField(Channel, "deliveries", (t) =>
  t.field({
    ...listing,
    resolve: ({ id }, { filter, ...args }, context) => list(context, args, { ...filter, channel: id }),
  }),
);
