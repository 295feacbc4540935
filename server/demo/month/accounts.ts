import { newId } from "@/server/db/new-id";
import type { ApplicationKey } from "@/server/demo/cast/applications";
import { type CastPerson, type Condition, castPeople } from "@/server/demo/cast/people";
import { inPieces, type Month } from "@/server/demo/month/month";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "@/server/demo/month/time";
import { type Connectable, providerTraits } from "@/server/domain/providers";

/** An account with its profiles, as it was stored. */
export interface FilledAccount {
  id: string;
  applicationId: string;
  application: ApplicationKey;
  person: CastPerson;
  createdAt: Date;
  profiles: FilledProfile[];
}

export interface FilledProfile {
  id: string;
  condition: Condition;
  /** Null: it is connected. */
  disconnectedAt: Date | null;
  calendars: { id: string; name: string; tzid: string }[];
}

/**
 * Stores accounts with connected calendar accounts. None has a credential: without one no sync, push or revocation
 * comes across it, so no provider receives a request.
 */
export async function fillAccounts(month: Month): Promise<FilledAccount[]> {
  const { prisma } = month.db;
  const accounts = castPeople.map((person) => accountOf(month, person));
  const all = accounts.flatMap((account) => account.profiles.map((profile, index) => ({ account, profile, index })));
  await prisma.account.createMany({ data: accounts.map(accountRow) });
  await prisma.profile.createMany({
    data: all.map(({ account, profile, index }) => profileRow(account, profile, index)),
  });
  for (const { account, profile, index } of all) {
    const { provider = "caldav" } = account.person.profiles[index] ?? {};
    const data = syncState(month, profile.condition, provider);
    await prisma.profileSync.update({ select: { profileId: true }, where: { profileId: profile.id }, data });
  }
  await inPieces(
    accounts.flatMap((account) => calendarRows(month, account)),
    (data) => prisma.calendar.createMany({ data }),
  );
  await prisma.providerWatch.createMany({ data: accounts.flatMap((account) => watchRows(month, account)) });
  return accounts;
}

function accountOf({ now, random, applications }: Month, person: CastPerson): FilledAccount {
  return {
    id: newId("acc"),
    applicationId: applications[person.application],
    application: person.application,
    person,
    createdAt: new Date(now - person.age * DAY_MS - random.between(1, 50) * 9 * MINUTE_MS),
    profiles: person.profiles.map(({ condition }) => ({
      id: newId("pro"),
      condition,
      disconnectedAt: condition === "disconnected" ? new Date(now - random.between(20, 200) * HOUR_MS) : null,
      calendars: [],
    })),
  };
}

function accountRow({ id, applicationId, person, createdAt }: FilledAccount) {
  const { name, email, tzid: defaultTzid } = person;
  return { ...{ id, applicationId, kind: "account" as const }, ...{ name, email, defaultTzid, createdAt } };
}

function profileRow({ id, applicationId, person, createdAt }: FilledAccount, profile: FilledProfile, index: number) {
  const { provider = "caldav", service = "caldav", name = "" } = person.profiles[index] ?? {};
  return {
    ...{ id: profile.id, accountId: id, applicationId, provider, service, name, createdAt },
    ...{ subject: `demo ${name}`, connection: 1, initialSyncRequired: profile.condition === "first" },
    ...{ connected: profile.disconnectedAt === null, disconnectedAt: profile.disconnectedAt },
  };
}

/** Returns the sync state of a profile. It is never due: no loop looks for it, and no page waits for it. */
function syncState({ now, random }: Month, condition: Condition, provider: Connectable) {
  const ago = (ms: number) => new Date(now - ms);
  switch (condition) {
    case "first":
      return {};
    case "disconnected":
      return {
        lastSyncAt: ago(random.between(201, 260) * HOUR_MS),
        syncFailures: 3,
        syncError: "credentials_rejected",
      };
    case "failing":
      return { lastSyncAt: ago(5 * HOUR_MS), syncFailures: 6, syncError: "down", readable: true };
    case "throttled":
      return {
        ...{ lastSyncAt: ago(22 * MINUTE_MS), syncFailures: 1, syncError: "throttled" },
        throttledUntil: new Date(now + 40 * MINUTE_MS),
      };
    default: {
      const lastSyncAt = ago(random.between(20, 290) * 1_000);
      return { lastSyncAt, noticedAt: providerTraits[provider].watchesList ? lastSyncAt : null };
    }
  }
}

/**
 * Returns the watches that Google and Microsoft would have confirmed. Nobody can send a notice in their name: each
 * proves itself with a secret.
 */
function watchRows({ now, random }: Month, { person, profiles }: FilledAccount) {
  return profiles.flatMap(({ id: profileId, disconnectedAt, calendars }, index) => {
    const { watchedPollMs, watchesList } = providerTraits[person.profiles[index]?.provider ?? "caldav"];
    if (watchedPollMs === null || disconnectedAt !== null) return [];
    const watched = [...calendars.map(({ id }) => id), ...(watchesList ? [null] : [])];
    return watched.map((calendarId) => {
      const [expiresAt, renewAt] = [3, 1.5].map(
        (days) => new Date(now + days * DAY_MS + random.between(0, 600) * MINUTE_MS),
      );
      const channel = `demo ${profileId} ${calendarId ?? "list"}`;
      return { channel, profileId, calendarId, resource: "demo", expiresAt, renewAt: renewAt ?? new Date(now) };
    });
  });
}

const holidays: Record<string, string> = {
  "Europe/London": "Holidays in United Kingdom",
  "Europe/Berlin": "Feiertage in Deutschland",
  "Europe/Stockholm": "Helgdagar i Sverige",
  "Europe/Madrid": "Festivos en España",
  "Asia/Tokyo": "日本の祝日",
};

/**
 * Returns the calendars of an account's profiles and records them in the account. A profile whose first sync is still
 * running has none.
 */
function calendarRows({ now, random }: Month, account: FilledAccount) {
  let number = 0;
  return account.profiles.flatMap((profile, index) => {
    if (profile.condition === "first") return [];
    const { provider = "caldav", name: address = "" } = account.person.profiles[index] ?? {};
    const isWork = index === 0;
    const names = [
      isWork ? (provider === "google" ? address : "Calendar") : "Private",
      ...(isWork && random.percent(45) ? [random.pick(["Holidays", "Out of office", "Team"])] : []),
      ...(isWork ? [holidays[account.person.tzid] ?? "US Holidays"] : []),
    ];
    const readAt = profile.disconnectedAt ?? new Date(now - random.between(20, 290) * 1_000);
    return names.map((name, place) => {
      const id = newId("cal");
      const { tzid } = account.person;
      profile.calendars.push({ id, name, tzid });
      number += 1;
      return {
        ...{ id, accountId: account.id, profileId: profile.id, number, externalId: `demo ${id}`, name, tzid },
        ...{ primary: place === 0, readonly: place > 0 && place === names.length - 1, createdAt: account.createdAt },
        ...{ integratedConferencing: provider === "google" || provider === "microsoft", readAt, changedAt: readAt },
        noticedAt: providerTraits[provider].watchedPollMs === null ? null : readAt,
      };
    });
  });
}
