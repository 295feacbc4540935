import { notificationTypeNames } from "@/server/domain/channels/notification-types";
import { builder, enumOf, HeaderType, headersOf } from "@/server/graphql/builder";
import type { AttemptRow, DeliveryDetail, DeliverySchedule } from "@/server/services/staff/deliveries/shapes";
import { type DeliveryRow, deliveryStates } from "@/server/services/staff/lists/deliveries";

export const StateEnum = enumOf("DeliveryState", deliveryStates);
export const TypeEnum = enumOf("DeliveryType", notificationTypeNames);

const facts = builder.interfaceRef<DeliveryRow>("DeliveryFacts").implement({
  fields: (t) => ({
    id: t.exposeID("id"),
    type: t.expose("type", { type: TypeEnum }),
    applicationId: t.exposeID("applicationId"),
    applicationName: t.exposeString("applicationName", { nullable: true }),
    accountId: t.exposeID("accountId"),
    channelId: t.exposeID("channelId"),
    host: t.exposeString("host"),
    endpoint: t.exposeString("endpoint", {
      description: "Host and path of the callback URL. The query is omitted because it may contain secrets.",
    }),
    state: t.expose("state", { type: StateEnum }),
    attemptCount: t.exposeInt("attempts"),
    lastStatus: t.exposeInt("lastStatus", { nullable: true, description: "Null if there was no response." }),
    lastError: t.exposeString("lastError", { nullable: true, description: "Why there was no response." }),
    createdAt: t.expose("createdAt", { type: "DateTime" }),
    nextAttemptAt: t.expose("nextAttemptAt", { type: "DateTime", nullable: true }),
    finishedAt: t.expose("finishedAt", { type: "DateTime", nullable: true }),
    manual: t.exposeBoolean("manual", { description: "Retried manually at least once." }),
    test: t.exposeBoolean("test", { description: "A test event, which no change caused." }),
    late: t.exposeBoolean("late", { description: "An attempt has been due for over 30 seconds." }),
    retrying: t.exposeBoolean("retrying", { description: "Pending, and the last attempt failed." }),
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
      description: "The IP address that was connected to or refused.",
    }),
    status: t.exposeInt("status", { nullable: true }),
    errorClass: t.exposeString("errorClass", { nullable: true }),
    responseHeaders: t.field({ type: [HeaderType], resolve: ({ responseHeaders }) => headersOf(responseHeaders) }),
    responseBody: t.exposeString("responseBody", { nullable: true, description: "At most 20 KiB. Untrusted text." }),
  }),
});

const DeliveryScheduleType = builder.objectRef<DeliverySchedule>("Waits").implement({
  description: "Progress through the retry schedule.",
  fields: (t) => ({
    scheduleMs: t.exposeIntList("scheduleMs"),
    made: t.exposeInt("made"),
    most: t.exposeInt("most"),
    givenUpAt: t.expose("givenUpAt", {
      type: "DateTime",
      description: "48 hours after creation. The tenth attempt usually comes before.",
    }),
    lastAttempt: t.field({
      type: "Int",
      nullable: true,
      description: "The number of the last attempt, if all others fail.",
      resolve: ({ last }) => last?.number,
    }),
    lastAttemptAt: t.field({
      type: "DateTime",
      nullable: true,
      description: "About when the last attempt is made, if all others fail.",
      resolve: ({ last }) => last?.at,
    }),
  }),
});

export const Summary = builder.objectRef<DeliveryRow>("DeliverySummary").implement({ interfaces: [facts] });

export const Delivery = builder.objectRef<DeliveryDetail>("Delivery").implement({
  interfaces: [facts],
  fields: (t) => ({
    callbackUrl: t.exposeString("callbackUrl", { description: "Complete, with its query." }),
    body: t.exposeString("body", { description: "The bytes sent with every attempt." }),
    headersSent: t.expose("headersSent", { type: [HeaderType], description: "Signatures are omitted." }),
    attempts: t.expose("attemptRows", {
      type: [Attempt],
      description: "Completed attempts, oldest first.",
    }),
    channelClosedAt: t.field({ type: "DateTime", nullable: true, resolve: ({ channel }) => channel.closedAt }),
    channelClosedBy: t.string({ nullable: true, resolve: ({ channel }) => channel.closedBy }),
    waits: t.expose("waits", { type: DeliveryScheduleType }),
    replayAsked: t.exposeBoolean("replayAsked", { description: "A manual retry was requested and hasn't ended." }),
    underWay: t.exposeBoolean("underWay", { description: "An attempt is in progress." }),
  }),
});
