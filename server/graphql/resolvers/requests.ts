import { builder, enumOf } from "@/server/graphql/builder";
import { listFields } from "@/server/graphql/list-fields";
import { Account } from "@/server/graphql/resolvers/accounts";
import { Application } from "@/server/graphql/resolvers/applications";
import { RequestLog, Summary } from "@/server/graphql/resolvers/request";
import { requestList, statusClasses } from "@/server/services/staff/lists/requests";

builder.queryField("request", (t) =>
  t.field({
    type: RequestLog,
    description: "With headers and bodies. Viewing it is recorded in the audit trail.",
    nullable: true,
    args: { id: t.arg.id({ required: true, description: "The log ID: `id`, not `requestId`." }) },
    resolve: (_, { id }, { ask }) => ask((api) => api.requests.get({ id })),
  }),
);

listFields({
  name: "Request",
  node: Summary,
  list: requestList,
  about:
    "All conditions must match; of a list, any value. In a nested list, the parent’s ID replaces the one given here.",
  enums: { statusClass: enumOf("RequestStatusClass", statusClasses) },
  owners: { application: Application, account: Account },
  page: (api, input) => api.requests.list(input),
  count: (api, filters) => api.requests.count(filters),
});
