import type { Tone } from "@/components/ui/state";
import { providerTraits } from "@/server/domain/providers";
import { providerNamed } from "@/server/domain/wire-names";
import type { AccountProfile } from "@/server/services/staff/accounts/shapes";
import type { AccountRow } from "@/server/services/staff/lists/accounts";
import type { TroubledMailboxes } from "@/server/services/staff/overview/shapes";

interface Worded {
  tone: Tone;
  word: string;
}

/** Describes the state of an account. */
export function accountState({ revokedAt, disconnectedCount, profileCount }: AccountRow): Worded {
  if (revokedAt !== null) return { tone: "off", word: "Revoked" };
  if (disconnectedCount > 0) return { tone: "bad", word: "Disconnected" };
  return profileCount === 0 ? { tone: "off", word: "No profiles" } : { tone: "good", word: "Connected" };
}

/** Describes the state of a profile. */
export function profileState({ connected, initialSyncRequired, syncError }: AccountProfile): Worded {
  if (!connected) return { tone: "bad", word: "Disconnected" };
  if (syncError !== null) return { tone: "wait", word: "Connected, last sync failed" };
  return initialSyncRequired
    ? { tone: "wait", word: "Connected, initial sync pending" }
    : { tone: "good", word: "Connected" };
}

export const kindWords: Record<AccountRow["kind"], string> = {
  account: "Account",
  application_calendar: "Application calendar",
};

/** Names an account as people call it. */
export function accountName({ kind, applicationCalendarId, email, name }: AccountRow): string {
  return (kind === "application_calendar" ? applicationCalendarId : email) || name;
}

/** Names a provider. `provider`: as in the API. */
export function providerWord(provider: string): string {
  const named = providerNamed(provider);
  if (named) return providerTraits[named].label;
  return provider === "hosted" ? "Hosted by Almanac" : provider;
}

/** Explains in a sentence why a sync or a write failed. An unknown error is quoted as stored. */
export function errorSentence(error: string, provider: string | undefined): string {
  const name = provider === undefined ? "The provider" : providerWord(provider);
  switch (error) {
    case "credentials_rejected":
      return `${name} rejected the ${hasPassword(provider) ? "password" : "sign-in"}. The user must reconnect.`;
    case "throttled":
      return `${name} is rate limiting requests.`;
    case "down":
      return `${name} returned an error or didn’t respond.`;
    case "sync_token_expired":
      return "Full resync required.";
    case "conflict":
      return `The event was changed at ${name} at the same time.`;
    case "gone":
      return `It no longer exists at ${name}.`;
    case "partial_guest_list":
      return `${name} shows only part of the event’s guest list, so guests can’t be added or removed.`;
    case "internal":
      return "Internal error. See the log for details.";
    case "no_calendars_listed":
      return `${name} returned no calendars, although it had some before.`;
    case "calendar_refused":
    case "refused":
      return `${name} denied access to one of the calendars.`;
    case "calendar_failed":
      return `${name} couldn’t read one of the calendars.`;
    case "no_mailbox":
      return `${name} has no mailbox for this account at the moment.`;
    case "misconfigured":
      return `${name} doesn’t accept this service’s client ID or secret, or its API isn’t enabled. Users don’t need to reconnect.`;
    default:
      return refusalSentence(error, name) ?? `${name} returned ${error}.`;
  }
}

/** Explains in a sentence why a provider sends no push notifications. `reason`: as stored with the watch. */
export function pushSentence(reason: string, provider: string): string {
  return `No push: ${refusedPush(reason, providerWord(provider))} The calendar is polled, and push is tried again every hour.`;
}

function refusedPush(reason: string, name: string): string {
  if (reason.includes("push.webhookUrlNotHttps")) return `${name} requires BASE_URL to be https.`;
  if (reason.includes("push.webhookUrlUnauthorized")) return `${name} doesn’t accept the domain of BASE_URL.`;
  if (/_(ExtensionError|ValidationError|InvalidRequest)$/.test(reason))
    return `${name} couldn’t confirm that BASE_URL can be reached.`;
  if (/^http_403/.test(reason)) return `${name} doesn’t allow it for this calendar.`;
  return `${name} returned ${reason}.`;
}

/** Explains what a provider cannot do with an event. Null: unknown. */
function refusalSentence(error: string, name: string): string | null {
  switch (error) {
    case "monthly_weekdays_unsupported":
      return `${name} can’t repeat an event on several weekdays of a month.`;
    case "time_zone_unsupported":
      return `${name} has no time zone in which this event could repeat.`;
    case "rule_unsupported":
      return `${name} can’t move a series whose rule was changed there.`;
    case "occurrence_not_restored":
      return `${name} didn’t bring back a deleted occurrence.`;
    case "not_organizer":
      return `${name} lets only the organizer change the time, the guests and the rule of this event.`;
    case "http_400_ErrorOccurrenceCrossingBoundary":
      return `${name} can’t move an occurrence to the day of another one, or past it.`;
    case "http_400_ErrorOccurrenceTimeSpanTooBig":
      return `${name} can’t repeat an event that lasts longer than the time to the next one.`;
    default:
      return null;
  }
}

function hasPassword(provider: string | undefined): boolean {
  const named = provider === undefined ? null : providerNamed(provider);
  return named !== null && providerTraits[named].signIn === "password";
}

/** Explains in a sentence why mailboxes are not read. `provider`: as in the API. */
export function mailboxReason(state: TroubledMailboxes["state"], provider: string, error: string | null): string {
  if (error !== null) return errorSentence(error, provider);
  if (state === "disconnected") return `${providerWord(provider)} no longer grants access. The user must reconnect.`;
  return state === "late" ? "Syncs are due but haven’t started." : "Syncs end before they finish.";
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
