import { builder, given } from "@/server/graphql/builder";
import { type ConnectionInput, connect, connectionOf, pageArgs } from "@/server/graphql/connection";
import type { GraphqlContext } from "@/server/graphql/context";
import { Account } from "@/server/graphql/resolvers/accounts";
import { Application } from "@/server/graphql/resolvers/applications";
import { RequestLog, Summary } from "@/server/graphql/resolvers/request";

const statusClasses = {
  STATUS_2XX: { value: "2xx" },
  STATUS_3XX: { value: "3xx" },
  STATUS_4XX: { value: "4xx" },
  STATUS_5XX: { value: "5xx" },
} as const;

const Filter = builder.inputType("RequestFilter", {
  description:
    "All conditions must match; of a list, any value. In a nested list, the parent’s ID replaces the one given here.",
  fields: (t) => ({
    method: t.stringList(),
    path: t.string({ description: "A full path, or its beginning up to a slash." }),
    endpoint: t.string({ description: "A route's pattern: `/v1/calendars/{calendar_id}/events`." }),
    statusClass: t.field({ type: [builder.enumType("RequestStatusClass", { values: statusClasses })] }),
    status: t.int(),
    application: t.id(),
    account: t.id(),
    errorKey: t.string({ description: "`errors.required`, `invalid_grant`." }),
    from: t.field({ type: "DateTime", description: "Inclusive." }),
    to: t.field({ type: "DateTime", description: "Exclusive." }),
    id: t.id({
      description: "A log ID, request ID, account, application, calendar or channel ID.",
    }),
  }),
});

const listing = {
  type: connectionOf("Request", Summary, { counted: true }),
  description: "Newest first.",
  nullable: true,
  args: { ...pageArgs, ...builder.args((t) => ({ filter: t.field({ type: Filter }) })) },
} as const;

function list(context: GraphqlContext, args: ConnectionInput, filters: typeof Filter.$inferInput) {
  const narrowed = given(filters);
  return connect(context, args, {
    list: (api, page) => api.requests.list({ ...narrowed, ...page }),
    count: (api) => api.requests.count(narrowed),
  });
}

builder.queryField("request", (t) =>
  t.field({
    type: RequestLog,
    description: "With headers and bodies. Viewing it is recorded in the audit trail.",
    nullable: true,
    args: { id: t.arg.id({ required: true, description: "The log ID: `id`, not `requestId`." }) },
    resolve: (_, { id }, { ask }) => ask((api) => api.requests.get({ id })),
  }),
);

builder.queryField("requests", (t) =>
  t.field({ ...listing, resolve: (_, { filter, ...args }, context) => list(context, args, { ...filter }) }),
);

builder.objectField(Application, "requests", (t) =>
  t.field({
    ...listing,
    resolve: ({ id }, { filter, ...args }, context) => list(context, args, { ...filter, application: id }),
  }),
);

builder.objectField(Account, "requests", (t) =>
  t.field({
    ...listing,
    resolve: ({ id }, { filter, ...args }, context) => list(context, args, { ...filter, account: id }),
  }),
);
