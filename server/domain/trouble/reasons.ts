/**
 * Why a profile isn't read as it should be, and why a write has not arrived: the one list of the API and the dashboard,
 * with a sentence each. `name` is the provider's name, `proof` what a user signs in with there.
 */
const sentences = {
  initial_sync: () => "The first sync is not complete yet.",
  credentials_rejected: (name, proof) => `${name} rejected the ${proof}. The user must reconnect.`,
  delegation_withdrawn: (name) =>
    `${name} no longer accepts the organization’s key. An administrator has to renew it. Users don’t need to reconnect.`,
  delegation_removed: () =>
    "The organization was removed from the application. The user can still connect on their own.",
  delegation_refused: (name) =>
    `${name} no longer lets the organization’s key open this mailbox. Authorize it again once that is fixed.`,
  throttled: (name) => `${name} is rate limiting requests.`,
  down: (name) => `${name} returned an error or didn’t respond.`,
  no_mailbox: (name) => `${name} has no mailbox for this account right now.`,
  misconfigured: (name) =>
    `${name} doesn’t accept this service’s client ID or secret, or its API isn’t enabled. Users don’t need to reconnect.`,
  sync_token_expired: () => "Full resync required.",
  no_calendars_listed: (name) => `${name} returned no calendars, although it had some before.`,
  calendar_refused: (name) => `${name} denied access to one of the calendars.`,
  calendar_failed: (name) => `${name} couldn’t read one of the calendars.`,
  overdue: () => "Syncs are due but haven’t started.",
  interrupted: () => "Syncs end before they finish.",
  internal: () => "Internal error. See the log for details.",
  calendar_deleted: () => "The feed no longer exists at its address.",
  feed_empty: () => "The feed is suddenly empty. Its events are kept for a day.",
  feed_cut_off: () => "The feed ends before its end. Its events are kept for a day.",
  feed_too_large: () => "The feed is larger than 5 MB or has more than 20,000 occurrences.",
  feed_address_refused: () => "The feed’s address leads to a host that isn’t public.",
  not_a_calendar: () => "The feed’s address returns something other than a calendar.",
  gone: (name) => `It no longer exists at ${name}.`,
  conflict: (name) => `The event was changed at ${name} at the same time.`,
  not_organizer: (name) => `${name} lets only the organizer change the time, the guests and the rule of this event.`,
  partial_guest_list: (name) =>
    `${name} shows only part of the event’s guest list, so guests can’t be added or removed.`,
  monthly_weekdays_unsupported: (name) => `${name} can’t repeat an event on several weekdays of a month.`,
  time_zone_unsupported: (name) => `${name} has no time zone in which this event could repeat.`,
  rule_unsupported: (name) => `${name} can’t move a series whose rule was changed there.`,
  occurrence_not_restored: (name) => `${name} didn’t bring back a deleted occurrence.`,
  occurrence_out_of_order: (name) => `${name} can’t move an occurrence to the day of another one, or past it.`,
  occurrences_overlap: (name) => `${name} can’t repeat an event that lasts longer than the time to the next one.`,
  too_large: (name) => `The event is too large for ${name}.`,
  read_only: () => "The user no longer lets the application change this calendar.",
  rejected: (name) => `${name} rejected the event.`,
} as const satisfies Record<string, (name: string, proof: SignInProof) => string>;

export type Reason = keyof typeof sentences;
export type SignInProof = "password" | "sign-in";

/** Why a profile that its organization opened is disconnected. */
const delegationReasons = ["delegation_withdrawn", "delegation_removed", "delegation_refused"] as const;
export type DelegationReason = (typeof delegationReasons)[number];

/** Tells whether an error, as `profile_syncs` stores it, is one of these reasons. */
export function isDelegationReason(error: string | null): error is DelegationReason {
  return delegationReasons.some((reason) => reason === error);
}

export const reasons = Object.keys(sentences) as [Reason, ...Reason[]];

/** Errors that are stored in other words: an access right, and errors of Microsoft's. */
const stored: Readonly<Record<string, Reason>> = {
  refused: "calendar_refused",
  http_400_ErrorOccurrenceCrossingBoundary: "occurrence_out_of_order",
  http_400_ErrorOccurrenceTimeSpanTooBig: "occurrences_overlap",
};

/** Returns the reason for an error as `profile_syncs` and `provider_writes` store it. Null: it is in no list. */
export function reasonOf(error: string): Reason | null {
  if (Object.hasOwn(sentences, error)) return error as Reason;
  return Object.hasOwn(stored, error) ? (stored[error] ?? null) : null;
}

/** Explains a reason in a sentence that names no provider. */
export function reasonOfAnyProvider(reason: Reason): string {
  return reasonSentence(reason, "The provider", "sign-in").replaceAll(" The provider", " the provider");
}

/** Explains a reason in a sentence. `name`: of the provider. */
export function reasonSentence(reason: Reason, name: string, proof: SignInProof): string {
  return sentences[reason](name, proof);
}
