/** The only scope that is granted. */
export const SCOPE = "read_write";
/** The scopes that a connect link may name. All but the first belong to the SDKs that compatibility mode serves. */
export const KNOWN_SCOPES: readonly string[] = [
  SCOPE,
  "read_account",
  "list_calendars",
  "create_calendar",
  "read_events",
  "create_event",
  "delete_event",
  "event_reminders",
  "read_free_busy",
  "change_participation_status",
];

/** The default of openid-client 5. It is ignored: there is no ID token. */
const OPENID = "openid";

/** Checks that a scope is a list of known names, separated by single spaces (RFC 6749 §3.3). */
export function isKnownScope(scope: string): boolean {
  return scope.split(" ").every((name) => KNOWN_SCOPES.includes(name) || name === OPENID);
}

/** "Access token lifetime: 10800 seconds" ("Limits"). */
export const ACCESS_TOKEN_SECONDS = 10_800;
/** "Authorization code: single use, 10 minutes" ("Limits"). */
export const CODE_LIFE_MS = 600_000;
/** "Link token: single use, 5 minutes" ("Limits"). */
export const LINK_TOKEN_MS = 300_000;
/** The longest life of a reconnect link, and its life if the request names none, in seconds. */
export const MAX_RECONNECT_LINK_SECONDS = 7 * 86_400;
export const RECONNECT_LINK_SECONDS = 86_400;
/** Life of an opened connect page: later it can't be submitted. */
export const PAGE_LIFE_MS = 1_800_000;
/** A client that registered itself and connected no account in this time is removed. */
export const UNUSED_REGISTRATION_MS = 86_400_000;
