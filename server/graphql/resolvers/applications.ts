import { builder } from "@/server/graphql/builder";
import { connect, connectionOf, pageArgs } from "@/server/graphql/connection";
import { inPages } from "@/server/graphql/page-after";
import type { ApplicationDetail, ApplicationRow, Traffic } from "@/server/services/staff/applications/shapes";

const TrafficType = builder.objectRef<Traffic>("Traffic").implement({
  description: "The last 24 hours.",
  fields: (t) => ({
    requestsPerHour: t.exposeIntList("requestsPerHour", {
      description: "Oldest hour first. The last one is not over.",
    }),
    errorRate: t.exposeFloat("errorRate", { description: "Share of 4xx and 5xx responses, from 0 to 1." }),
    throttled: t.exposeInt("throttled", { description: "Number of 429 responses." }),
  }),
});

const RedirectUri = builder.objectRef<ApplicationDetail["redirectUris"][number]>("RedirectUri").implement({
  fields: (t) => ({ uri: t.exposeString("uri"), createdAt: t.expose("createdAt", { type: "DateTime" }) }),
});

const facts = builder.interfaceRef<ApplicationRow>("ApplicationFacts").implement({
  fields: (t) => ({
    id: t.exposeID("id"),
    clientId: t.exposeString("clientId"),
    name: t.exposeString("name"),
    plan: t.expose("plan", { type: builder.enumType("Plan", { values: plans }) }),
    compatibilityMode: t.exposeBoolean("compatibilityMode"),
    createdAt: t.expose("createdAt", { type: "DateTime" }),
    accountCount: t.exposeInt("accounts", { description: "Number of accounts that are not revoked." }),
    traffic: t.expose("traffic", { type: TrafficType }),
  }),
});
const plans = { DEVELOPER: { value: "developer" }, STANDARD: { value: "standard" } } as const;

const Summary = builder.objectRef<ApplicationRow>("ApplicationSummary").implement({ interfaces: [facts] });

export const Application = builder.objectRef<ApplicationDetail>("Application").implement({
  interfaces: [facts],
  fields: (t) => ({ redirectUris: t.expose("redirectUris", { type: [RedirectUri] }) }),
});

builder.queryField("application", (t) =>
  t.field({
    type: Application,
    nullable: true,
    args: { id: t.arg.id({ required: true }) },
    resolve: (_, { id }, { ask }) => ask((api) => api.applications.get({ id })),
  }),
);

const Filter = builder.inputType("ApplicationFilter", {
  fields: (t) => ({ q: t.string({ description: "Part of the name or client ID." }) }),
});

builder.queryField("applications", (t) =>
  t.field({
    type: connectionOf("Application", Summary, { counted: false }),
    description: "Sorted by name.",
    nullable: true,
    args: { ...pageArgs, filter: t.arg({ type: Filter }) },
    resolve: (_, { filter, ...args }, context) =>
      connect(context, args, {
        list: async (api, page) => await inPages(matching(await api.applications.list(), filter?.q))(page),
      }),
  }),
);

function matching(rows: ApplicationRow[], q: string | null | undefined): ApplicationRow[] {
  const part = q?.toLowerCase() ?? "";
  return rows.filter(({ name, clientId }) => [name, clientId].some((text) => text.toLowerCase().includes(part)));
}
