import type { Tone } from "@/components/ui/state";
import type { AccountProfile, AccountRow } from "@/server/services/staff/accounts/shapes";

interface Worded {
  tone: Tone;
  word: string;
}

/** How an account does. */
export function accountState({ revokedAt, disconnectedCount, profileCount }: AccountRow): Worded {
  if (revokedAt !== null) return { tone: "off", word: "Revoked" };
  if (disconnectedCount > 0) return { tone: "bad", word: "Disconnected" };
  return profileCount === 0 ? { tone: "off", word: "No profile" } : { tone: "good", word: "Connected" };
}

/** How a profile does. */
export function profileState({ connected, initialSyncRequired, syncError }: AccountProfile): Worded {
  if (!connected) return { tone: "bad", word: "Disconnected" };
  if (syncError !== null) return { tone: "wait", word: "Connected, last sync failed" };
  return initialSyncRequired
    ? { tone: "wait", word: "Connected, first sync not done" }
    : { tone: "good", word: "Connected" };
}

/** Whose account it is, as people call it. */
export function accountName({ kind, applicationCalendarId, email, name }: AccountRow): string {
  return (kind === "application_calendar" ? applicationCalendarId : email) || name;
}

const providerWords: Record<string, string> = {
  google: "Google",
  office365: "Microsoft 365",
  live_connect: "Outlook.com",
  apple: "iCloud",
  hosted: "Kept by Almanac",
};

export function providerWord(provider: string): string {
  return providerWords[provider] ?? provider;
}

const faultWords: Record<string, string> = {
  signed_out: "the provider refused the credential: the person has to connect again",
  throttled: "the provider answers too many requests at the moment",
  down: "the provider did not answer as it should",
  stale_cursor: "the provider wants everything to be read anew",
  conflict: "it was changed at the provider meanwhile",
  gone: "it is gone at the provider",
  internal: "our own fault: the log has more",
  no_calendars_listed: "the provider listed no calendar, where there were some before",
  calendar_refused: "the provider refused to show one of the calendars",
};

/** Why a sync or a write failed, as a sentence's end; what is not known stays as it was stored. */
export function faultWord(error: string): string {
  return faultWords[error] ?? `the provider said ${error}`;
}

const closers: Record<string, string> = {
  delete: "closed by the application",
  revoke: "closed with its account",
  gone: "closed by a 410 from its receiver",
};

export function closerWord(closedBy: string | null): string {
  return closers[closedBy ?? ""] ?? "closed";
}
