import { builder } from "@/server/graphql/builder";
import { connect, connectionOf, pageArgs } from "@/server/graphql/connection";
import { inPages } from "@/server/graphql/page-after";
import type { ApplicationDetail, ApplicationRow, Traffic } from "@/server/services/staff/applications/shapes";

const TrafficType = builder.objectRef<Traffic>("Traffic").implement({
  description: "Of the last 24 hours.",
  fields: (t) => ({
    requestsPerHour: t.exposeIntList("requestsPerHour", {
      description: "The oldest hour first; the last is not over.",
    }),
    errorRate: t.exposeFloat("errorRate", { description: "What was answered with 4xx or 5xx, from 0 to 1." }),
    throttled: t.exposeInt("throttled", { description: "How often the answer was 429." }),
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
    accountCount: t.exposeInt("accounts", { description: "Of accounts that are not revoked." }),
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
  fields: (t) => ({ q: t.string({ description: "A part of the name or the client id." }) }),
});

builder.queryField("applications", (t) =>
  t.field({
    type: connectionOf("Application", Summary, { counted: false }),
    description: "By name.",
    nullable: true,
    args: { ...pageArgs, filter: t.arg({ type: Filter }) },
    resolve: (_, { filter, ...asked }, context) =>
      connect(context, asked, {
        list: async (api, page) => await inPages(matching(await api.applications.list(), filter?.q))(page),
      }),
  }),
);

function matching(rows: ApplicationRow[], q: string | null | undefined): ApplicationRow[] {
  const part = q?.toLowerCase() ?? "";
  return rows.filter(({ name, clientId }) => [name, clientId].some((text) => text.toLowerCase().includes(part)));
}
