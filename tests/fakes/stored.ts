import { db, type Query } from "@/server/db/client";
import { databaseTime } from "@/server/db/database-time";
import { Prisma } from "@/server/db/generated/client";
import { newId } from "@/server/db/new-id";
import { seal } from "@/server/db/sealed";

type CalendarChanges = Prisma.CalendarUncheckedUpdateManyInput;
type Mailboxes = Partial<Prisma.ProfileCreateManyInput> & { count: number; credential: string; syncDueAt?: Date };

// What a test arranges in the rows of applications, accounts, profiles and calendars or reads there, because nothing of the service does just that.

/** As a provider's refusal, or a connection that is renewed, leaves the profiles: whether they are connected, and nothing else. */
export async function setConnected(
  profileIds: string | readonly string[],
  isConnected: boolean,
  query: Query = db().query,
): Promise<void> {
  await query("UPDATE profiles SET connected = $2 WHERE id = ANY ($1::text[])", [[profileIds].flat(), isConnected]);
}

export async function setSyncDue(profileIds: string | readonly string[], syncDueAt: Date): Promise<void> {
  await db().prisma.profileSync.updateMany({ where: { profileId: { in: [profileIds].flat() } }, data: { syncDueAt } });
}

/** The profile is due by the clock now, whatever its provider asked for. */
export async function setSyncDueNow(profileId: string): Promise<void> {
  await db().query(
    "UPDATE profile_syncs SET sync_due_at = coalesce($2::timestamptz, clock_timestamp()) - interval '1 s', poll_due_at = NULL, throttled_until = NULL WHERE profile_id = $1",
    [profileId, databaseTime()],
  );
}

export async function changeProfile(profileId: string, changes: Prisma.ProfileUncheckedUpdateManyInput): Promise<void> {
  await db().prisma.profile.updateMany({ where: { id: profileId }, data: changes });
  if (changes.provider) await changeSync(profileId, { provider: changes.provider });
}

export async function changeSync(
  profileId: string,
  changes: Prisma.ProfileSyncUncheckedUpdateManyInput,
): Promise<void> {
  await db().prisma.profileSync.updateMany({ where: { profileId }, data: changes });
}

export async function storedProfile(profileId: string) {
  return await db().prisma.profile.findUniqueOrThrow({ where: { id: profileId } });
}

/** Of an application's, or some of them. */
export async function storedProfiles(of: Prisma.ProfileWhereInput) {
  return await db().prisma.profile.findMany({ where: of });
}

/** Where the syncs of a profile stand. */
export async function storedSync(profileId: string) {
  return await db().prisma.profileSync.findUniqueOrThrow({ where: { profileId } });
}

/** The same of several profiles. */
export async function storedSyncs(of: Prisma.ProfileSyncWhereInput) {
  return await db().prisma.profileSync.findMany({ where: of });
}

/** More profiles beside one, each with the credential. */
export async function addMailboxes(
  profileId: string,
  { count, credential, syncDueAt, ...more }: Mailboxes,
): Promise<string[]> {
  const { accountId, applicationId, provider, service, name } = await storedProfile(profileId);
  const data = Array.from({ length: count }, () => newId("pro")).map((id) => ({
    ...{ id, accountId, applicationId, provider, service, name, subject: id, ...more },
    credential: seal(credential, { table: "profiles", column: "credential", row: id }),
  }));
  await db().prisma.profile.createMany({ data });
  const ids = data.map(({ id }) => id);
  if (syncDueAt) await setSyncDue(ids, syncDueAt);
  return ids;
}

/** Whether the calendar's provider adds meeting links to its events. */
export async function setMeetingLinks(calendarId: string, addsLinks: boolean): Promise<void> {
  await changeCalendar(calendarId, { integratedConferencing: addsLinks });
}

export async function changeCalendar(calendarId: string, changes: CalendarChanges): Promise<void> {
  await db().prisma.calendar.updateMany({ where: { id: calendarId }, data: changes });
}

export async function storedCalendar(calendarId: string) {
  return await db().prisma.calendar.findUniqueOrThrow({ where: { id: calendarId } });
}

/** In the order of their numbers. */
export async function storedCalendars(accountId: string) {
  return await db().prisma.calendar.findMany({ where: { accountId }, orderBy: { number: "asc" } });
}

export async function storedAccount(accountId: string) {
  return await db().prisma.account.findUniqueOrThrow({ where: { id: accountId } });
}

export async function changeAccount(accountId: string, changes: Prisma.AccountUncheckedUpdateManyInput): Promise<void> {
  await db().prisma.account.updateMany({ where: { id: accountId }, data: changes });
}

/** The newest `updated` that was given out in the calendar, to the microsecond. */
export async function calendarChangedAt(calendarId: string): Promise<string> {
  const rows = await db().query<{ at: string }>(
    `SELECT to_char(changed_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS at FROM calendars WHERE id = $1`,
    [calendarId],
  );
  return rows[0]?.at ?? "";
}

export async function dropCalendars(profileId: string): Promise<void> {
  await db().prisma.calendar.deleteMany({ where: { profileId } });
}

/** The application's requests are answered in the other vendor's words from now on. */
/** An administrator allows an application to change events that others created, or no longer does. */
export async function setForeignEdits(clientId: string, editForeignEvents = true): Promise<void> {
  await db().prisma.application.update({ where: { clientId }, data: { editForeignEvents } });
}

export async function setCompatible(clientId: string): Promise<void> {
  await db().prisma.application.update({ where: { clientId }, data: { compatibilityMode: true } });
}

export async function dropAccount(accountId: string): Promise<void> {
  await db().prisma.account.delete({ where: { id: accountId } });
}

/** An account of an application of its own, whose one profile has the calendars. */
export async function addAccount(calendarIds: readonly string[]): Promise<string> {
  const [applicationId, accountId, profileId] = [newId("app"), newId("acc"), newId("pro")];
  const { prisma } = db();
  await prisma.application.create({ data: { id: applicationId, clientId: applicationId, name: "Property" } });
  await prisma.account.create({ data: { id: accountId, applicationId, kind: "account", name: "", email: "" } });
  const mailbox = { provider: "google", service: "google", subject: profileId, name: "" } as const;
  await prisma.profile.create({ data: { id: profileId, accountId, applicationId, ...mailbox } });
  await prisma.calendar.createMany({
    data: calendarIds.map((id, i) => ({ id, accountId, profileId, number: i + 1, externalId: id, name: "" })),
  });
  return accountId;
}

/** Changes who has to be free when a hold is confirmed. Null: version 1.0.0-rc.2 stored it, and it does not say. */
export async function setConditions(id: string, conditions: Prisma.InputJsonObject | null): Promise<void> {
  await db().prisma.booking.update({ where: { id }, data: { conditions: conditions ?? Prisma.DbNull } });
}

/** As the time leaves a hold that nobody confirms. */
export async function expireHold(id: string, now: number): Promise<void> {
  await db().prisma.booking.update({ where: { id }, data: { heldUntil: new Date(now) } });
}
