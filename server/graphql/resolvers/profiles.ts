import { builder } from "@/server/graphql/builder";
import { connect, connectionOf, pageArgs } from "@/server/graphql/connection";
import { inPages } from "@/server/graphql/page-after";
import { Account } from "@/server/graphql/resolvers/accounts";
import type {
  AccountCalendar,
  AccountProfile,
  SkippedEvent as SkippedEventRow,
} from "@/server/services/staff/accounts/shapes";

const Profile = builder.objectRef<AccountProfile>("Profile").implement({
  fields: (t) => ({
    id: t.exposeID("id"),
    provider: t.exposeString("provider"),
    service: t.exposeString("service"),
    name: t.exposeString("name"),
    connected: t.exposeBoolean("connected"),
    initialSyncRequired: t.exposeBoolean("initialSyncRequired"),
    lastSyncAt: t.expose("lastSyncAt", { type: "DateTime", nullable: true }),
    syncDueAt: t.expose("syncDueAt", { type: "DateTime", nullable: true, description: "Null if it is never synced." }),
    syncFailures: t.exposeInt("syncFailures"),
    syncError: t.exposeString("syncError", { nullable: true }),
    createdAt: t.expose("createdAt", { type: "DateTime" }),
  }),
});

const SkippedEvent = builder.objectRef<SkippedEventRow>("SkippedEvent").implement({
  fields: (t) => ({
    name: t.exposeString("name", { description: "The last part of the provider's name of it." }),
    reason: t.exposeString("reason"),
    readAt: t.field({ type: "DateTime", resolve: ({ readAt }) => new Date(readAt).toISOString() }),
  }),
});

const Calendar = builder.objectRef<AccountCalendar>("Calendar").implement({
  fields: (t) => ({
    id: t.exposeID("id"),
    profileId: t.exposeID("profileId"),
    name: t.exposeString("name"),
    readonly: t.exposeBoolean("readonly"),
    deleted: t.exposeBoolean("deleted"),
    primary: t.exposeBoolean("primary"),
    tzid: t.exposeString("tzid", { nullable: true }),
    changedAt: t.expose("changedAt", { type: "DateTime" }),
    skippedEventCount: t.int({
      description: "Events that can't be read, and are missing from the API's responses.",
      resolve: ({ skipped }) => skipped.count,
    }),
    skippedEvents: t.field({
      type: [SkippedEvent],
      description: "Newest first, at most 50.",
      resolve: ({ skipped }) => skipped.events,
    }),
  }),
});

const ProfileFilter = builder.inputType("ProfileFilter", {
  fields: (t) => ({ id: t.id(), provider: t.string(), connected: t.boolean() }),
});

const CalendarFilter = builder.inputType("CalendarFilter", {
  fields: (t) => ({ id: t.id(), profile: t.id(), readonly: t.boolean(), deleted: t.boolean() }),
});

builder.objectField(Account, "profiles", (t) =>
  t.field({
    type: connectionOf("Profile", Profile, { counted: false }),
    description: "Oldest first.",
    nullable: true,
    args: { ...pageArgs, filter: t.arg({ type: ProfileFilter }) },
    resolve: ({ profiles }, { filter, ...args }, context) => {
      const list = inPages(profiles.filter((profile) => isLike(profile, { ...filter })));
      return connect(context, args, { list: (_, page) => list(page) });
    },
  }),
);

builder.objectField(Account, "calendars", (t) =>
  t.field({
    type: connectionOf("Calendar", Calendar, { counted: false }),
    description: "Deleted calendars last.",
    nullable: true,
    args: { ...pageArgs, filter: t.arg({ type: CalendarFilter }) },
    resolve: ({ calendars }, { filter: given, ...args }, context) => {
      const { profile, ...filter } = { ...given };
      const list = inPages(calendars.filter((calendar) => isLike(calendar, { ...filter, profileId: profile })));
      return connect(context, args, { list: (_, page) => list(page) });
    },
  }),
);

/** Checks that a row matches every field of the filter. */
function isLike<Row extends object>(row: Row, filter: { [Name in keyof Row]?: Row[Name] | null }): boolean {
  const wanted = Object.entries(filter).filter(([, value]) => value !== null && value !== undefined);
  return wanted.every(([name, value]) => row[name as keyof Row] === value);
}
