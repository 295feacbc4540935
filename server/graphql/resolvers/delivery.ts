import { builder, enumOf, HeaderType, headersOf } from "@/server/graphql/builder";
import { states, types } from "@/server/services/staff/deliveries/filters";
import type { AttemptRow, DeliveryDetail, DeliveryRow, Waits } from "@/server/services/staff/deliveries/shapes";

export const StateEnum = enumOf("DeliveryState", states);
export const TypeEnum = enumOf("DeliveryType", types);

const facts = builder.interfaceRef<DeliveryRow>("DeliveryFacts").implement({
  fields: (t) => ({
    id: t.exposeID("id"),
    type: t.expose("type", { type: TypeEnum }),
    applicationId: t.exposeID("applicationId"),
    applicationName: t.exposeString("applicationName", { nullable: true }),
    accountId: t.exposeID("accountId"),
    channelId: t.exposeID("channelId"),
    host: t.exposeString("host"),
    state: t.expose("state", { type: StateEnum }),
    attemptCount: t.exposeInt("attempts"),
    lastStatus: t.exposeInt("lastStatus", { nullable: true, description: "Null: no answer." }),
    lastError: t.exposeString("lastError", { nullable: true, description: "Why there was no answer." }),
    createdAt: t.expose("createdAt", { type: "DateTime" }),
    nextAttemptAt: t.expose("nextAttemptAt", { type: "DateTime", nullable: true }),
    finishedAt: t.expose("finishedAt", { type: "DateTime", nullable: true }),
    manual: t.exposeBoolean("manual", { description: "Staff asked for an attempt of it." }),
    late: t.exposeBoolean("late", { description: "An attempt of it has been due for over 30 seconds." }),
  }),
});

const Attempt = builder.objectRef<AttemptRow>("Attempt").implement({
  fields: (t) => ({
    number: t.exposeInt("number"),
    manual: t.exposeBoolean("manual"),
    startedAt: t.expose("startedAt", { type: "DateTime" }),
    durationMs: t.exposeInt("durationMs", { nullable: true }),
    address: t.exposeString("address", {
      nullable: true,
      description: "The address that was connected to, or refused.",
    }),
    status: t.exposeInt("status", { nullable: true }),
    errorClass: t.exposeString("errorClass", { nullable: true }),
    responseHeaders: t.field({ type: [HeaderType], resolve: ({ responseHeaders }) => headersOf(responseHeaders) }),
    responseBody: t.exposeString("responseBody", { nullable: true, description: "A stranger's text: 20 KiB of it." }),
  }),
});

const WaitsType = builder.objectRef<Waits>("Waits").implement({
  description: "Where a delivery stands in its schedule.",
  fields: (t) => ({
    scheduleMs: t.exposeIntList("scheduleMs"),
    made: t.exposeInt("made"),
    most: t.exposeInt("most"),
    givenUpAt: t.expose("givenUpAt", { type: "DateTime" }),
  }),
});

export const Summary = builder.objectRef<DeliveryRow>("DeliverySummary").implement({ interfaces: [facts] });

export const Delivery = builder.objectRef<DeliveryDetail>("Delivery").implement({
  interfaces: [facts],
  fields: (t) => ({
    callbackUrl: t.exposeString("callbackUrl"),
    body: t.exposeString("body", { description: "The bytes that every attempt sends." }),
    headersSent: t.expose("headersSent", { type: [HeaderType], description: "Signatures are left out of them." }),
    attempts: t.expose("attemptRows", {
      type: [Attempt],
      description: "Those whose end is known, the first one first.",
    }),
    channelClosedAt: t.field({ type: "DateTime", nullable: true, resolve: ({ channel }) => channel.closedAt }),
    channelClosedBy: t.string({ nullable: true, resolve: ({ channel }) => channel.closedBy }),
    waits: t.expose("waits", { type: WaitsType }),
    replayAsked: t.exposeBoolean("replayAsked", { description: "An attempt that staff asked for has not ended yet." }),
    underWay: t.exposeBoolean("underWay"),
  }),
});
