import { writeStates } from "@/server/domain/provider-writes";
import { builder, enumOf } from "@/server/graphql/builder";
import { listFields } from "@/server/graphql/list-fields";
import { Application } from "@/server/graphql/resolvers/applications";
import type { AccountDetail, FailedWrite } from "@/server/services/staff/accounts/shapes";
import { type AccountRow, accountList } from "@/server/services/staff/lists/accounts";

const kinds = { ACCOUNT: { value: "account" }, APPLICATION_CALENDAR: { value: "application_calendar" } } as const;
const Kind = builder.enumType("AccountKind", { values: kinds });

const facts = builder.interfaceRef<AccountRow>("AccountFacts").implement({
  fields: (t) => ({
    id: t.exposeID("id"),
    kind: t.expose("kind", { type: Kind }),
    applicationCalendarId: t.exposeString("applicationCalendarId", { nullable: true }),
    name: t.exposeString("name"),
    email: t.exposeString("email"),
    applicationId: t.exposeID("applicationId"),
    applicationName: t.exposeString("applicationName"),
    createdAt: t.expose("createdAt", { type: "DateTime" }),
    revokedAt: t.expose("revokedAt", { type: "DateTime", nullable: true }),
    profileCount: t.exposeInt("profileCount"),
    disconnectedCount: t.exposeInt("disconnectedCount", { description: "Number of disconnected profiles." }),
    calendarCount: t.exposeInt("calendarCount"),
    refusedCount: t.exposeInt("refusedCount", { description: "Number of events that a provider rejected." }),
  }),
});

const FailedWriteType = builder.objectRef<FailedWrite>("FailedWrite").implement({
  description: "An event that could not be written to its provider, and why.",
  fields: (t) => ({
    id: t.exposeID("id"),
    calendarId: t.exposeID("calendarId"),
    eventId: t.exposeString("eventId", {
      nullable: true,
      description: "Null for events that the application did not create.",
    }),
    when: t.exposeString("when", {
      description: "When the event is, in its time zone. Of a series, its first occurrence.",
    }),
    repeats: t.exposeString("repeats", {
      nullable: true,
      description: "The recurrence rule in words. Null: the event does not repeat.",
    }),
    attempts: t.exposeInt("attempts"),
    lastError: t.exposeString("lastError", { nullable: true }),
    refusedAt: t.expose("refusedAt", {
      type: "DateTime",
      nullable: true,
      description: "Null while the write is retried.",
    }),
    state: t.expose("state", {
      type: enumOf("FailedWriteState", writeStates),
      description:
        "`GIVEN_UP`: retries ended without a rejection from the provider. `REVERTED`: it was rejected, and reads return what the provider has.",
    }),
    dueAt: t.expose("dueAt", { type: "DateTime", nullable: true }),
    createdAt: t.expose("createdAt", { type: "DateTime" }),
  }),
});

const Summary = builder.objectRef<AccountRow>("AccountSummary").implement({ interfaces: [facts] });

export const Account = builder.objectRef<AccountDetail>("Account").implement({
  interfaces: [facts],
  fields: (t) => ({
    defaultTzid: t.exposeString("defaultTzid"),
    waitingWrites: t.exposeInt("waitingWrites", { description: "Number of events not yet written to their provider." }),
    failedWrites: t.expose("failedWrites", { type: [FailedWriteType], description: "At most 100." }),
  }),
});

builder.queryField("account", (t) =>
  t.field({
    type: Account,
    nullable: true,
    args: { id: t.arg.id({ required: true }) },
    resolve: (_, { id }, { ask }) => ask((api) => api.accounts.get({ id })),
  }),
);

listFields({
  name: "Account",
  node: Summary,
  list: accountList,
  enums: { sync: enumOf("AccountSync", accountList.filters.sync.values) },
  owners: { application: Application },
  page: (api, input) => api.accounts.list(input),
  count: (api, filters) => api.accounts.count(filters),
});
