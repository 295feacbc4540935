import type { Database, Query } from "@/server/db/client";
import { newId } from "@/server/db/new-id";
import { seal } from "@/server/db/sealed";
import { run } from "@/server/db/statement";
import { wake } from "@/server/db/wake";
import { type Connectable, providerTraits } from "@/server/domain/providers";
import { zone } from "@/server/domain/time/zone";
import type { RemoteCalendar, SignedIn } from "@/server/providers/connector";
import { lockApplication } from "@/server/store/applications/applications.sql";
import { storeCalendars } from "@/server/store/calendars/store-calendars";
import {
  beginSyncs,
  completeAccount,
  connectProfile,
  insertAccount,
  insertProfile,
  lockAccountOfSubject,
  type ProfileOfAccount,
} from "@/server/store/profiles/connected-profile.sql";
import { dropProviderToken, sealedCredential } from "@/server/store/profiles/provider-tokens";
import { resumeWrites } from "@/server/store/provider-writes/suspend";

/** A calendar account as its provider gave it when its owner signed in. */
export interface ProviderAccount {
  provider: Connectable;
  account: SignedIn;
  calendars: readonly RemoteCalendar[];
}

/** One after another: the same calendar account connected twice at once is one profile. */
export async function takeApplication(query: Query, applicationId: string): Promise<void> {
  await run(query, lockApplication, [applicationId]);
}

/**
 * The profile that the application has of a calendar account. Takes its account for the rest of the transaction, first of all as a
 * revocation does: the profile is there, or goes with it.
 */
export async function findProfile(
  query: Query,
  { applicationId, provider, subject }: { applicationId: string; provider: Connectable; subject: string },
): Promise<ProfileOfAccount | undefined> {
  const [profile] = await run(query, lockAccountOfSubject, [applicationId, provider, subject]);
  return profile;
}

interface Stored extends ProviderAccount {
  applicationId: string;
  /** The profile that it has already. */
  known: ProfileOfAccount | undefined;
  /** The account that a new profile joins. Null: a new one is created. */
  accountId: string | null;
  /** Milliseconds since 1970. */
  now: number;
}

/** Stores a calendar account with its first calendars, signed in, in the transaction of `query`. */
export async function storeProfile(db: Database, query: Query, stored: Stored): Promise<ProfileOfAccount> {
  const { known, account, calendars } = stored;
  const profile = known ?? (await addProfile(query, stored));
  if (known) await run(query, completeAccount, [known.accountId, account.email, nameOf(account), tzidOf(calendars)]);
  await signInProfile(query, { ...stored, profileId: profile.profileId });
  await storeCalendars(within(db, query), { profileId: profile.profileId, calendars: stored.calendars, gone: null });
  await resumeWrites(query, profile.profileId);
  return profile;
}

/** Once the transaction is over: its first sync begins, and writes that waited go on. */
export function wakeProfile(): void {
  for (const work of ["sync", "push"] as const) wake(work);
}

async function addProfile(query: Query, added: Stored): Promise<ProfileOfAccount> {
  const { applicationId, provider, account, now } = added;
  const accountId = added.accountId ?? (await addAccount(query, added));
  const profileId = newId("pro");
  const { subject, name, service = providerTraits[provider].service } = account;
  const values = [profileId, accountId, applicationId, provider, service, subject, name, new Date(now)];
  await run(query, insertProfile, values);
  return { accountId, profileId };
}

async function addAccount(query: Query, { applicationId, account, calendars, now }: Stored): Promise<string> {
  const id = newId("acc");
  const defaultTzid = tzidOf(calendars) ?? "Etc/UTC";
  await run(query, insertAccount, [id, applicationId, nameOf(account), account.email, defaultTzid, new Date(now)]);
  return id;
}

const nameOf = ({ fullName, name }: SignedIn) => fullName || name;

/** The time zone of the primary calendar. Null: it names none that is known. */
function tzidOf(calendars: readonly RemoteCalendar[]): string | null {
  const tzid = (calendars.find(({ primary }) => primary) ?? calendars[0])?.tzid;
  return tzid && zone(tzid) ? tzid : null;
}

/** A sync that runs with the old connection loses its lease, so that it cannot disconnect the profile again. */
async function signInProfile(
  query: Query,
  { profileId, provider, account, now }: Pick<Stored, "provider" | "account" | "now"> & { profileId: string },
): Promise<void> {
  if (providerTraits[provider].signIn === "oauth") await dropProviderToken(query, profileId);
  const credential = seal(account.credential, sealedCredential(profileId));
  await run(query, connectProfile, [profileId, credential, account.name]);
  await run(query, beginSyncs, [profileId, new Date(now)]);
}

/** The same transaction for a service that would open its own. */
function within(db: Database, query: Query): Database {
  return { ...db, query, transaction: (work) => work(query) };
}
