import { type RequestKind, requestKinds, type VerdictRow } from "@/server/domain/provider-responses/verdicts";

/** Requests to the sign-in service. */
export const ofSignIn: readonly RequestKind[] = ["renew_access", "exchange_code", "end_grant"];
/** Requests with which an organization opens its mailboxes. */
const ofOrganizations: readonly RequestKind[] = ["act_for_user", "read_directory"];
/** Requests to the calendar API. */
export const ofCalendars = requestKinds.filter((kind) => !ofSignIn.includes(kind) && !ofOrganizations.includes(kind));
export const ofWatches: readonly RequestKind[] = ["open_watch", "renew_watch", "stop_watch"];
/** Requests that read and write calendars and events. */
export const ofContent = ofCalendars.filter((kind) => !ofWatches.includes(kind));
/** Requests that begin with a sync token. */
export const ofChanges: readonly RequestKind[] = ["list_calendar_changes", "list_event_changes"];
export const ofEventLists: readonly RequestKind[] = ["list_events", "list_event_changes"];
export const ofWrites: readonly RequestKind[] = ["create_event", "change_event", "delete_event"];

/** Statuses that mean nothing for the requested resource, whoever responds. */
export const passing: readonly VerdictRow[] = [
  {
    requests: requestKinds,
    statuses: [429],
    words: null,
    verdict: "wait_mailbox",
    means: "Too many requests for the account.",
  },
  {
    requests: requestKinds,
    statuses: [408, 421, 423, 425, "5xx"],
    words: null,
    verdict: "retry",
    means: "The provider, or something on the way to it, is down or overloaded.",
  },
];

/** The fallback for every provider, after its own codes decided nothing. */
export const rest: readonly VerdictRow[] = [
  {
    requests: ["list_event_changes"],
    statuses: [410],
    words: null,
    verdict: "read_all",
    means: "The sync token has ended.",
  },
  {
    requests: ofWrites,
    statuses: [412],
    words: null,
    verdict: "changed",
    means: "Someone else has changed the event since it was read.",
  },
  {
    requests: ofWrites,
    statuses: ["4xx"],
    words: "own",
    verdict: "undo",
    means: "The provider rejects the event, for any other reason that it states.",
  },
  {
    requests: ["list_events", "list_event_changes", "read_settings"],
    statuses: ["4xx"],
    words: "own",
    verdict: "skip",
    means: "The provider doesn't let the calendar be read.",
  },
  {
    requests: requestKinds,
    statuses: null,
    words: null,
    verdict: "retry",
    means: "Any other response, such as an error page of a proxy.",
  },
];

/** What follows where an organization opens mailboxes, after the rows for every kind of request. */
export const ofDelegations: readonly VerdictRow[] = [
  {
    requests: ["act_for_user"],
    statuses: ["4xx"],
    words: "own",
    verdict: "reconnect",
    means: "The organization has withdrawn the key or one of its permissions, or has suspended the user.",
  },
  {
    requests: ["read_directory"],
    statuses: [401],
    words: "own",
    verdict: "replace_token",
    until: "renewed",
    means: "The provider doesn't accept the access token.",
  },
  {
    requests: ["read_directory"],
    statuses: [404],
    words: "own",
    verdict: "gone",
    means: "The organization has no such user, group or room.",
  },
  {
    requests: ["read_directory"],
    statuses: ["4xx"],
    words: "own",
    verdict: "skip",
    means: "The organization's key may not read the directory.",
  },
];

/**
 * Builds the rows that each provider's table places itself, under the provider's name: the fallback for a kind of
 * request after its codes were read.
 */
export function sharedRows(provider: string) {
  return {
    unprovenClient: {
      requests: ["renew_access", "exchange_code"],
      statuses: null,
      words: ["unauthorized_client"],
      verdict: "misconfigured",
      until: "proven",
      means: `The same, if ${provider} has accepted the client ID for nobody since Almanac started.`,
    },
    notRenewed: {
      requests: ["renew_access"],
      statuses: [400],
      words: "own",
      verdict: "reconnect",
      means: `${provider} doesn't renew the access, for any other reason that it states.`,
    },
    noticesEnded: {
      requests: ["stop_watch"],
      statuses: [404, 410],
      words: "own",
      verdict: "done",
      means: `${provider}'s notices have ended already.`,
    },
    staleToken: {
      requests: ofContent,
      statuses: [401],
      words: "own",
      verdict: "replace_token",
      until: "renewed",
      means: `${provider} doesn't accept the access token.`,
    },
    noNotices: {
      requests: ["open_watch", "renew_watch"],
      statuses: ["4xx"],
      words: "own",
      verdict: "no_watch",
      means: `${provider} refuses to send notices, for any other reason that it states.`,
    },
    noAccess: {
      requests: ofContent,
      statuses: [401],
      words: "own",
      verdict: "reconnect",
      means: `${provider} no longer accepts any access token of the user.`,
    },
  } satisfies Record<string, VerdictRow>;
}
