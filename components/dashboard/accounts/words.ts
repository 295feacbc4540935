import type { Tone } from "@/components/ui/state";
import type { Access } from "@/server/domain/access";
import { providerTraits } from "@/server/domain/providers";
import { FEWEST_FAILURES } from "@/server/domain/trouble/profile-status";
import { reasonOf, reasonSentence } from "@/server/domain/trouble/reasons";
import { providerNamed } from "@/server/domain/wire-names";
import type { AccountProfile } from "@/server/services/staff/accounts/shapes";
import type { AccountRow } from "@/server/services/staff/lists/accounts";
import type { TroubledMailboxes } from "@/server/services/staff/overview/shapes";

interface Worded {
  tone: Tone;
  word: string;
}

/** Describes the state of an account. */
export function accountState({ revokedAt, disconnectedCount, delayedCount, profileCount }: AccountRow): Worded {
  if (revokedAt !== null) return { tone: "off", word: "Revoked" };
  if (disconnectedCount > 0) return { tone: "bad", word: "Disconnected" };
  if (delayedCount > 0) return { tone: "wait", word: "Delayed" };
  return profileCount === 0 ? { tone: "off", word: "No profiles" } : { tone: "good", word: "Connected" };
}

/** Describes the state of a profile. */
export function profileState({ connected, initialSyncRequired, syncFailures, syncError }: AccountProfile): Worded {
  if (!connected) return { tone: "bad", word: "Disconnected" };
  if (syncFailures >= FEWEST_FAILURES) return { tone: "wait", word: "Delayed" };
  if (syncError !== null) return { tone: "wait", word: "Connected, last sync failed" };
  return initialSyncRequired
    ? { tone: "wait", word: "Connected, initial sync pending" }
    : { tone: "good", word: "Connected" };
}

/** Names what a user lets the application do with a profile. Null: everything. */
export const accessWords: Record<Access, string | null> = {
  full: null,
  read: "Read-only",
  free_busy: "Free/busy only",
};

export const kindWords: Record<AccountRow["kind"], string> = {
  account: "Account",
  application_calendar: "Application calendar",
};

/** Names an account as people call it. */
export function accountName({ kind, applicationCalendarId, email, name }: AccountRow): string {
  return (kind === "application_calendar" ? applicationCalendarId : email) || name;
}

/** A provider by its name in the API, and as people call it or its server. */
export interface NamedProvider {
  provider: string;
  providerLabel: string;
}

/** Names a provider beside a profile. */
export function providerWord({ provider, providerLabel }: NamedProvider): string {
  return provider === "hosted" ? "Hosted by Almanac" : providerLabel;
}

/** Explains in a sentence why a sync or a write failed. An unknown error is quoted as stored. */
export function errorSentence(error: string, provider: NamedProvider | undefined): string {
  const name = provider === undefined ? "The provider" : provider.providerLabel;
  const reason = reasonOf(error);
  if (reason === null) return `${name} returned ${error}.`;
  return reasonSentence(reason, name, hasPassword(provider?.provider) ? "password" : "sign-in");
}

/** Reports whether a provider can notify Almanac of changes. */
export function sendsNotifications(provider: string): boolean {
  return watchedPollMs(provider) !== null;
}

function watchedPollMs(provider: string): number | null {
  const named = providerNamed(provider);
  return named === null ? null : providerTraits[named].watchedPollMs;
}

interface Polled {
  provider: string;
  pollSeconds: { least: number; most: number } | null;
}

/** Says how often a profile is checked. Null: it is not checked, or as often as its feed says. */
export function pollSentence({ provider, pollSeconds }: Polled): string | null {
  if (pollSeconds === null) return null;
  const longest = watchedPollMs(provider);
  if (longest !== null) return `Checked when a notification comes, and at least every ${longest / 3_600_000} h.`;
  const [least, most] = [pollSeconds.least, pollSeconds.most].map((seconds) =>
    seconds % 60 === 0 ? `${seconds / 60} min` : `${seconds} s`,
  );
  const quiet = least === most ? "" : `, or every ${most} while nothing changes`;
  return `Checked every ${least}${quiet}; this provider sends no notifications.`;
}

/** Explains in a sentence why a provider sends no push notifications. `reason`: as stored with the watch. */
export function pushSentence(reason: string, { providerLabel }: NamedProvider): string {
  return `No notifications: ${refusedPush(reason, providerLabel)} The calendar is checked instead, and notifications are tried again every hour.`;
}

function refusedPush(reason: string, name: string): string {
  if (reason.includes("push.webhookUrlNotHttps")) return `${name} requires BASE_URL to be https.`;
  if (reason.includes("push.webhookUrlUnauthorized")) return `${name} doesn’t accept the domain of BASE_URL.`;
  if (/_(ExtensionError|ValidationError|InvalidRequest)$/.test(reason))
    return `${name} couldn’t confirm that BASE_URL can be reached.`;
  if (/^http_403/.test(reason)) return `${name} doesn’t allow it for this calendar.`;
  return `${name} returned ${reason}.`;
}

function hasPassword(provider: string | undefined): boolean {
  const named = provider === undefined ? null : providerNamed(provider);
  return named !== null && providerTraits[named].signIn === "password";
}

/** Explains in a sentence why mailboxes are not read. */
export function mailboxReason(
  state: TroubledMailboxes["state"],
  provider: NamedProvider,
  error: string | null,
): string {
  if (error !== null) return errorSentence(error, provider);
  if (state === "disconnected") return `${provider.providerLabel} no longer grants access. The user must reconnect.`;
  return errorSentence(state === "late" ? "overdue" : "interrupted", provider);
}

/** Formats "Last sync failed" or "Last 3 syncs failed". */
export function syncsFailed(failures: number): string {
  return failures > 1 ? `Last ${failures} syncs failed` : "Last sync failed";
}

const closers: Record<string, string> = {
  delete: "closed by the application",
  staff: "closed by staff",
  revoke: "closed when the account was revoked",
  gone: "closed after a 410 response",
};

export function closerWord(closedBy: string | null): string {
  return closers[closedBy ?? ""] ?? "closed";
}
