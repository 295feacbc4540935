import { builder, enumOf, HeaderType, headersOf } from "@/server/graphql/builder";
import { StateEnum } from "@/server/graphql/resolvers/delivery";
import type { RequestRow } from "@/server/services/staff/lists/requests";
import type { CausedEvent, RequestDetail, RequestEffects } from "@/server/services/staff/requests/shapes";

const facts = builder.interfaceRef<RequestRow>("RequestFacts").implement({
  fields: (t) => ({
    id: t.exposeID("id"),
    requestId: t.exposeString("requestId", { description: "Not unique: clients can send their own request ID." }),
    at: t.expose("at", { type: "DateTime" }),
    method: t.exposeString("method"),
    path: t.exposeString("path"),
    endpoint: t.exposeString("endpoint", { nullable: true }),
    status: t.exposeInt("status"),
    durationMs: t.exposeFloat("durationMs"),
    applicationId: t.exposeID("applicationId", { nullable: true }),
    applicationName: t.exposeString("applicationName", { nullable: true }),
    accountId: t.exposeID("accountId", { nullable: true }),
    errorKeys: t.exposeStringList("errorKeys"),
  }),
});

const CausedDelivery = builder.objectRef<RequestEffects["deliveries"][number]>("CausedDelivery").implement({
  fields: (t) => ({
    id: t.exposeID("id"),
    type: t.exposeString("type"),
    state: t.expose("state", { type: StateEnum }),
  }),
});

const eventStates = ["stored", "pushed", "waiting", "refused", "deleted"] as const;

const CausedEventType = builder.objectRef<CausedEvent>("CausedEvent").implement({
  fields: (t) => ({
    calendarId: t.exposeID("calendarId"),
    eventId: t.exposeString("eventId"),
    state: t.expose("state", { type: enumOf("CausedEventState", eventStates) }),
    reason: t.exposeString("reason", { nullable: true }),
  }),
});

const RequestEffectsType = builder.objectRef<RequestEffects>("Caused").implement({
  description: "What an accepted request changed, as far as it can still be seen.",
  fields: (t) => ({
    deliveries: t.expose("deliveries", { type: [CausedDelivery] }),
    events: t.expose("events", { type: [CausedEventType] }),
    channelId: t.id({ nullable: true, resolve: ({ channel }) => channel?.id }),
    accountId: t.exposeID("accountId", { nullable: true }),
  }),
});

export const Summary = builder.objectRef<RequestRow>("RequestSummary").implement({ interfaces: [facts] });

export const RequestLog = builder.objectRef<RequestDetail>("Request").implement({
  description: "As stored in the log: tokens, credentials and event text are `[redacted]`.",
  interfaces: [facts],
  fields: (t) => ({
    query: t.exposeString("query", { nullable: true }),
    address: t.exposeString("address", { nullable: true }),
    requestHeaders: t.field({ type: [HeaderType], resolve: ({ requestHeaders }) => headersOf(requestHeaders) }),
    requestBody: t.expose("requestBody", { type: "JSON", nullable: true }),
    responseHeaders: t.field({ type: [HeaderType], resolve: ({ responseHeaders }) => headersOf(responseHeaders) }),
    responseBody: t.expose("responseBody", { type: "JSON", nullable: true }),
    caused: t.expose("caused", { type: RequestEffectsType }),
  }),
});
