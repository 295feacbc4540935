import { createHash } from "node:crypto";
import type { Connection, Database } from "@/server/db/client";
import type { Profile } from "@/server/db/generated/client";
import { seal, unseal } from "@/server/db/sealed";
import { FEED_CALENDAR } from "@/server/providers/feed/connector";
import { credentialOf, sealable } from "@/server/providers/feed/credential";
import { lockedCalendar } from "@/server/store/calendars/locked-calendar";
import { storeProfile } from "@/server/store/profiles/connected-profile";
import { sealedCredential } from "@/server/store/profiles/provider-tokens";

const MINUTE_MS = 60_000;

export interface NewSubscription {
  applicationId: string;
  accountId: string;
  url: string;
  name: string;
  refreshMinutes: number;
  /** In milliseconds since 1970. */
  now: number;
}

export interface Subscription {
  calendarId: string;
  profileId: string;
  name: string;
  /** Of its address, which is a secret. */
  host: string;
  refreshMinutes: number;
}

/** Names what a subscription's profile is unique by. The address isn't in it: only its host can be read. */
function subjectOf({ accountId, url }: Pick<NewSubscription, "accountId" | "url">): string {
  return `${new URL(url).host}/${createHash("sha256").update(`${accountId}\n${url}`).digest("hex")}`;
}

/** Returns the host of a feed's address, from its profile's subject. */
export function hostOf(subject: string): string {
  return subject.slice(0, subject.indexOf("/"));
}

/** Counts the subscriptions of an account, without one to this address. */
export async function countOthers({ prisma }: Connection, added: NewSubscription): Promise<number> {
  const { accountId } = added;
  return await prisma.profile.count({ where: { accountId, provider: "feed", subject: { not: subjectOf(added) } } });
}

/**
 * Stores a subscription, in a transaction that has locked its account, and has a new one's feed read at once. One to
 * the same address is updated. Returns the calendar's id.
 */
export async function storeSubscription(connection: Connection, added: NewSubscription): Promise<string> {
  const { prisma } = connection;
  const { applicationId, accountId, url, name, refreshMinutes, now } = added;
  const subject = subjectOf(added);
  const credential = sealable({ url, name, refreshMinutes });
  const known = await prisma.profile.findFirst({
    where: { accountId, provider: "feed", subject },
    select: { id: true },
  });
  if (known) await update(connection, known.id, { credential, name, dueBy: now + refreshMinutes * MINUTE_MS });
  else {
    const calendar = { externalId: FEED_CALENDAR, name, readonly: true, primary: false, integratedConferencing: false };
    await storeProfile(connection, {
      ...{ applicationId, accountId, provider: "feed", known: undefined, now },
      account: { subject, name, email: "", credential },
      calendars: [{ ...calendar, tzid: null, ctag: null }],
      ...{ foreignEdits: false, access: "full" },
    });
  }
  const of = { accountId, profile: { provider: "feed", subject } } as const;
  return (await prisma.calendar.findFirstOrThrow({ where: of, select: { id: true } })).id;
}

/**
 * Changes a subscription. What is known of the feed's content stays: otherwise one that is empty by mistake would be
 * believed at once. It is not read sooner than it is due, or whoever repeats requests would have us repeat ours.
 */
async function update(
  { prisma }: Connection,
  id: string,
  { credential, name, dueBy }: { credential: string; name: string; dueBy: number },
): Promise<void> {
  const sealed = seal(credential, sealedCredential(id));
  await prisma.profile.update({ where: { id }, data: { credential: sealed, name }, select: { id: true } });
  await prisma.calendar.updateMany({ where: { profileId: id }, data: { name } });
  const syncDueAt = new Date(dueBy);
  await prisma.profileSync.updateMany({ where: { profileId: id, syncDueAt: { gt: syncDueAt } }, data: { syncDueAt } });
}

/** Lists the subscriptions of an account, the oldest first. */
export async function subscriptionsOf({ prisma }: Database, accountId: string): Promise<Subscription[]> {
  const profiles = await prisma.profile.findMany({
    where: { accountId, provider: "feed" },
    include: { calendars: { select: { id: true } } },
    orderBy: [{ createdAt: "asc" }, { id: "asc" }],
  });
  return profiles.flatMap((profile) => profile.calendars.map(({ id }) => shown(profile, id)));
}

function shown({ id, name, subject, credential }: Profile, calendarId: string): Subscription {
  const { refreshMinutes } = credentialOf(unseal(credential ?? "", sealedCredential(id)));
  return { calendarId, profileId: id, name, host: hostOf(subject), refreshMinutes };
}

/**
 * Deletes a subscription with all that was read, in a transaction that has locked its account. Returns false if the
 * account has none with this calendar.
 */
export async function dropSubscription(
  { query, prisma }: Connection,
  { accountId, calendarId }: { accountId: string; calendarId: string },
): Promise<boolean> {
  const calendar = await lockedCalendar(query, { accountId, calendarId });
  if (calendar?.provider !== "feed") return false;
  const ofCalendar = { where: { calendarId } };
  await prisma.occurrence.deleteMany(ofCalendar);
  await prisma.event.deleteMany(ofCalendar);
  await prisma.profile.deleteMany({ where: { accountId, provider: "feed", calendars: { some: { id: calendarId } } } });
  // Last, because the deletions are changes too.
  await prisma.eventChange.deleteMany(ofCalendar);
  return true;
}
