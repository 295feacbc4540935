import { type RequestKind, requestKinds, type VerdictRow } from "@/server/domain/provider-responses/verdicts";

/** To the sign-in service. */
export const ofSignIn: readonly RequestKind[] = ["renew_access", "exchange_code", "end_grant"];
/** To the calendar API. */
export const ofCalendars = requestKinds.filter((kind) => !ofSignIn.includes(kind));
export const ofWatches: readonly RequestKind[] = ["open_watch", "renew_watch", "stop_watch"];
/** Those that read and write calendars and events. */
export const ofContent = ofCalendars.filter((kind) => !ofWatches.includes(kind));
/** Those that begin with a sync token. */
export const ofChanges: readonly RequestKind[] = ["list_calendar_changes", "list_event_changes"];
export const ofEventLists: readonly RequestKind[] = ["list_events", "list_event_changes"];
export const ofWrites: readonly RequestKind[] = ["create_event", "change_event", "delete_event"];

/** Statuses that say nothing of what was asked for, whoever responds. */
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

/** What is left for every provider, once its own words have decided nothing. */
export const rest: readonly VerdictRow[] = [
  {
    requests: ["list_event_changes"],
    statuses: [410],
    words: null,
    verdict: "read_all",
    means: "The sync token has ended.",
  },
  {
    requests: ["create_event", "change_event", "delete_event"],
    statuses: [412],
    words: null,
    verdict: "changed",
    means: "Somebody else has changed the event since it was read.",
  },
  {
    requests: ["create_event", "change_event", "delete_event"],
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

/** Rows that the table of each provider has in a place of its own, in the provider's name: what is left of a kind of request once its words were read. */
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
      means: `${provider} accepts no access token of the user any more.`,
    },
  } satisfies Record<string, VerdictRow>;
}
