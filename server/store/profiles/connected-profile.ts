import type { Connection, Query } from "@/server/db/client";
import { newId } from "@/server/db/new-id";
import { seal } from "@/server/db/sealed";
import { run } from "@/server/db/statement";
import { wake } from "@/server/db/wake";
import type { Access } from "@/server/domain/access";
import { type Connectable, providerTraits, type Synced } from "@/server/domain/providers";
import { zone } from "@/server/domain/time/zone";
import type { CalendarAccount, RemoteCalendar } from "@/server/providers/connector";
import { lockApplication } from "@/server/store/applications/applications.sql";
import { storeList } from "@/server/store/calendars/store-calendars";
import {
  completeAccount,
  type KnownProfile,
  lockAccountOfSubject,
  type ProfileOfAccount,
} from "@/server/store/profiles/connected-profile.sql";
import { dropFormerAccess } from "@/server/store/profiles/dropped-grants";
import { changeTexts } from "@/server/store/profiles/hidden-texts";
import { dropProviderToken, sealedCredential } from "@/server/store/profiles/provider-tokens";
import { resumeWrites } from "@/server/store/provider-writes/transitions";

/** A calendar account as its provider returned it when its owner signed in. */
export interface ProviderAccount {
  provider: Connectable;
  account: CalendarAccount;
  calendars: readonly RemoteCalendar[];
  /** The connect page said that the application may change events that others created. */
  foreignEdits: boolean;
  /** What the user has agreed to. */
  access: Access;
}

/**
 * Locks the application, so that connects run one after another: the same calendar account connected twice at once is
 * one profile.
 */
export async function takeApplication(query: Query, applicationId: string): Promise<void> {
  await run(query, lockApplication, [applicationId]);
}

/**
 * Loads the application's profile of a calendar account. Locks its account for the rest of the transaction, before
 * anything else, as a revocation does: the profile exists, or is deleted with it.
 */
export async function findProfile(
  query: Query,
  { applicationId, provider, subject }: { applicationId: string; provider: Connectable; subject: string },
): Promise<KnownProfile | undefined> {
  const [profile] = await run(query, lockAccountOfSubject, [applicationId, provider, subject]);
  return profile;
}

interface StoreProfileInput extends Omit<ProviderAccount, "provider"> {
  provider: Synced;
  applicationId: string;
  /** The existing profile of the calendar account. */
  known: KnownProfile | undefined;
  /** The organization's access that opens it. Omitted: its owner has signed in. */
  delegationId?: string | null;
  /** The account that a new profile joins. Null: a new one is created. */
  accountId: string | null;
  /** In milliseconds since 1970. */
  now: number;
}

/**
 * Stores a calendar account with its first calendars, signed in, in the caller's transaction. The access that the user
 * agreed to now replaces an earlier one.
 */
export async function storeProfile(connection: Connection, stored: StoreProfileInput): Promise<ProfileOfAccount> {
  const { query } = connection;
  const { known, account, calendars } = stored;
  const profile = known ?? (await addProfile(connection, stored));
  const isOtherWay =
    known !== undefined &&
    (known.delegationId !== (stored.delegationId ?? null) || known.ownClient !== (account.ownClient ?? null));
  if (isOtherWay) await dropFormerAccess(connection.prisma, { ...stored, profileId: profile.profileId });
  if (known) await run(query, completeAccount, [known.accountId, account.email, nameOf(account), tzidOf(calendars)]);
  await signInProfile(connection, { ...stored, profileId: profile.profileId });
  await storeList(connection, { profileId: profile.profileId, calendars: stored.calendars, gone: null });
  await resumeWrites(query, profile.profileId);
  if (known) await changeTexts(query, { ...known, before: known.access, after: stored.access });
  return profile;
}

/** Wakes the sync of a profile that was connected, and the writes that waited. Call it after the commit. */
export function wakeProfile(): void {
  for (const work of ["sync", "push"] as const) wake(work);
}

async function addProfile({ prisma }: Connection, added: StoreProfileInput): Promise<ProfileOfAccount> {
  const { applicationId, provider, account, now } = added;
  const accountId = added.accountId ?? (await addAccount(prisma, added));
  const id = newId("pro");
  const { subject, name, service = providerTraits[provider].service } = account;
  const of = { accountId, applicationId, provider, service, subject, access: added.access };
  await prisma.profile.create({ select: { id: true }, data: { id, ...of, name, createdAt: new Date(now) } });
  return { accountId, profileId: id };
}

async function addAccount(
  prisma: Connection["prisma"],
  { applicationId, account, calendars, now }: StoreProfileInput,
): Promise<string> {
  const id = newId("acc");
  const owner = { name: nameOf(account), email: account.email, defaultTzid: tzidOf(calendars) ?? "Etc/UTC" };
  const data = { id, applicationId, kind: "account", ...owner, createdAt: new Date(now) } as const;
  await prisma.account.create({ select: { id: true }, data });
  return id;
}

const nameOf = ({ fullName, name }: CalendarAccount) => fullName || name;

/** Returns the time zone of the primary calendar. Null: it has none that is known. */
function tzidOf(calendars: readonly RemoteCalendar[]): string | null {
  const tzid = (calendars.find(({ primary }) => primary) ?? calendars[0])?.tzid;
  return tzid && zone(tzid) ? tzid : null;
}

const fromTheStart = {
  pollDueAt: null,
  syncToken: null,
  syncFailures: 0,
  syncError: null,
  syncLease: null,
  syncLeasedUntil: null,
};

/**
 * Signs a profile in again. A sync that runs with the old connection loses its lease, so that it cannot disconnect the
 * profile again.
 */
async function signInProfile(
  connection: Connection,
  {
    profileId,
    provider,
    account,
    foreignEdits,
    access,
    delegationId = null,
    now,
  }: Omit<StoreProfileInput, "applicationId" | "known" | "accountId" | "calendars"> & { profileId: string },
): Promise<void> {
  if (providerTraits[provider].signIn === "oauth") await dropProviderToken(connection, profileId);
  const credential = seal(account.credential, sealedCredential(profileId));
  const way = { credential, delegationId, oauthClientId: account.ownClient ?? null };
  const signedIn = { ...way, name: account.name, access, connected: true, disconnectedAt: null };
  const { profile, profileSync } = connection.prisma;
  const data = { ...signedIn, foreignEdits, connection: { increment: 1 } };
  await profile.update({ select: { id: true }, where: { id: profileId }, data });
  await profileSync.update({
    select: { profileId: true },
    where: { profileId },
    data: { ...fromTheStart, syncDueAt: new Date(now) },
  });
}
