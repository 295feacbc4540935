import { builder } from "@/server/graphql/builder";
import { listFields } from "@/server/graphql/list-fields";
import { Account } from "@/server/graphql/resolvers/accounts";
import { Application } from "@/server/graphql/resolvers/applications";
import type { ChannelHealth } from "@/server/services/staff/channels/shapes";
import { type ChannelRow, channelList } from "@/server/services/staff/lists/channels";

const FiltersType = builder.objectRef<ChannelRow["filters"]>("ChannelFilters").implement({
  description: "Which changes the channel is notified of.",
  fields: (t) => ({
    calendarIds: t.idList({ nullable: true, resolve: ({ calendar_ids }) => calendar_ids && [...calendar_ids] }),
    onlyManaged: t.boolean({ nullable: true, resolve: ({ only_managed }) => only_managed }),
  }),
});

const facts = builder.interfaceRef<ChannelRow>("ChannelFacts").implement({
  fields: (t) => ({
    id: t.exposeID("id"),
    callbackUrl: t.exposeString("callbackUrl"),
    accountId: t.exposeID("accountId"),
    applicationId: t.exposeID("applicationId"),
    applicationName: t.exposeString("applicationName", { nullable: true }),
    filters: t.expose("filters", { type: FiltersType }),
    createdAt: t.expose("createdAt", { type: "DateTime" }),
    closedAt: t.expose("closedAt", { type: "DateTime", nullable: true }),
    pausedAt: t.expose("pausedAt", {
      type: "DateTime",
      nullable: true,
      description: "Since when its deliveries are held. They are sent when an admin or developer resumes the endpoint.",
    }),
    closedBy: t.exposeString("closedBy", {
      nullable: true,
      description: "`delete`, `staff`, `revoke` or `gone` (the endpoint responded with 410).",
    }),
  }),
});

const Summary = builder.objectRef<ChannelRow>("ChannelSummary").implement({ interfaces: [facts] });

export const Channel = builder.objectRef<ChannelHealth>("Channel").implement({
  description: "A channel with its health over the last 24 hours.",
  interfaces: [facts],
  fields: (t) => ({
    successRate24h: t.exposeFloat("successRate24h", {
      nullable: true,
      description: "Share of attempts with a 2xx response, from 0 to 1.",
    }),
    p50Ms: t.exposeInt("p50Ms", { nullable: true }),
    p95Ms: t.exposeInt("p95Ms", { nullable: true }),
    oldestPendingAt: t.expose("oldestPendingAt", { type: "DateTime", nullable: true }),
    consecutiveFailures: t.exposeInt("consecutiveFailures", {
      description: "Failed attempts since the last 2xx response.",
    }),
  }),
});

builder.queryField("channel", (t) =>
  t.field({
    type: Channel,
    nullable: true,
    args: { id: t.arg.id({ required: true }) },
    resolve: (_, { id }, { ask }) => ask((api) => api.channels.health({ id })),
  }),
);

listFields({
  name: "Channel",
  node: Summary,
  list: channelList,
  enums: {},
  owners: { application: Application, account: Account },
  page: (api, input) => api.channels.list(input),
});
