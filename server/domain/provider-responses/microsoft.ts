import {
  ofCalendars,
  ofDelegations,
  ofEventLists,
  ofSignIn,
  ofWatches,
  ofWrites,
  passing,
  rest,
  sharedRows,
} from "@/server/domain/provider-responses/kinds";
import type { VerdictRow } from "@/server/domain/provider-responses/verdicts";

/** Exchange's and Graph's codes for something that doesn't exist. */
const notThere = [
  ...["ErrorItemNotFound", "ErrorFolderNotFound", "ErrorParentFolderNotFound", "ErrorCalendarFolderNotFound"],
  ...["itemNotFound", "ResourceNotFound", "Request_ResourceNotFound", "NotFound", "ErrorObjectNotFound"],
];

const shared = sharedRows("Microsoft");

/**
 * Microsoft's codes: Graph's `error.code` and its inner codes, and the sign-in service's `error`, `suberror` and error
 * number ("Microsoft Graph error responses and resource types", "Microsoft Entra authentication and authorization error
 * codes").
 */
export const microsoftVerdicts: readonly VerdictRow[] = [
  {
    requests: ["open_watch", "renew_watch"],
    statuses: ["4xx"],
    words: ["ExtensionError", "ValidationError", "InvalidRequest", "ErrorAccessDenied", "Forbidden"],
    verdict: "no_watch",
    means: "Microsoft doesn't accept the address for its notices, or sends none of the calendar.",
  },
  {
    requests: ofWatches,
    statuses: [401],
    words: ["InvalidAuthenticationToken", "TokenExpired", "UnauthorizedAccess", "invalid_token", "bearer"],
    verdict: "replace_token",
    until: "renewed",
    means: "Microsoft doesn't accept the access token.",
  },
  shared.staleToken,
  {
    requests: ["renew_access", "exchange_code"],
    statuses: null,
    words: ["AADSTS50196", "slow_down"],
    verdict: "wait_mailbox",
    means: "Too many requests for the account.",
  },
  {
    requests: ofCalendars,
    statuses: null,
    words: ["ApplicationThrottled", "activityLimitReached", "TooManyRequests", "ErrorExceededConnectionCount"],
    verdict: "wait_mailbox",
    means: "Too many requests for the account.",
  },
  {
    requests: ofCalendars,
    statuses: null,
    words: [
      ...["MailboxNotEnabledForRESTAPI", "MailboxNotSupportedForRESTAPI", "ErrorNonExistentMailbox"],
      ...["ErrorMissingEmailAddress", "OrganizationFromTenantGuidNotFound", "ErrorAccountSuspend"],
    ],
    verdict: "no_mailbox",
    means: "The user's account has no mailbox right now, for example because it is being moved or has no license.",
  },
  {
    requests: ofCalendars,
    statuses: null,
    words: [
      ...["ErrorMailboxMoveInProgress", "ErrorMailboxStoreUnavailable", "ErrorMailboxFailover", "MailboxInfoStale"],
      ...["ErrorInternalServerError", "ErrorInternalServerTransientError", "ErrorServerBusy", "ErrorTimeoutExpired"],
      ...["ErrorConnectionFailed", "ErrorConnectionFailedTransientError", "ErrorADUnavailable", "ErrorADOperation"],
      ...["ErrorInsufficientResources"],
      ...["ErrorNotEnoughMemory", "ErrorBatchProcessingStopped", "ErrorNoRespondingCASInDestinationSite"],
      ...["ErrorQuotaExceeded", "ErrorTooManyObjectsOpened", "ErrorExceededFindCountLimit", "ErrorWrongServerVersion"],
      ...["ErrorMailboxInfoStale", "ErrorTransientFault", "ErrorProxyServiceDiscoveryFailed", "ErrorCASProxyFailed"],
      ...["UnknownError", "generalException", "internalServerError", "serviceNotAvailable", "ServiceUnavailable"],
      ...["BadGateway", "GatewayTimeout", "Timeout", "TransientError", "ConcurrentItemOperation"],
    ],
    verdict: "retry",
    means: "Microsoft is down or overloaded, or moves the mailbox.",
  },
  {
    requests: ofSignIn,
    statuses: null,
    words: [
      ...["temporarily_unavailable", "server_error", "AADSTS50000", "AADSTS90006", "AADSTS90012", "AADSTS90024"],
      ...["AADSTS90033", "AADSTS90055", "AADSTS50053"],
    ],
    verdict: "retry",
    means: "Microsoft's sign-in service is down or overloaded, or has locked the account for a while.",
  },
  {
    requests: ["list_events"],
    statuses: [501],
    words: "own",
    verdict: "skip",
    means: "Microsoft doesn't list events by what was asked for.",
  },
  ...passing,
  ...ofDelegations,
  {
    requests: ["renew_access"],
    statuses: ["4xx"],
    words: [
      ...["AADSTS50020", "AADSTS50034", "AADSTS50057", "AADSTS50105", "AADSTS65001", "AADSTS65004"],
      ...["AADSTS90072", "AADSTS500011", "AADSTS650052", "AADSTS650057"],
    ],
    verdict: "reconnect",
    means: "The user, or the organization's consent, is no longer there.",
  },
  {
    requests: ofSignIn,
    statuses: null,
    words: [
      ...["invalid_client", "unsupported_grant_type", "unsupported_response_type", "invalid_scope", "invalid_request"],
      ...["invalid_resource", "AADSTS7000215", "AADSTS7000222", "AADSTS700027", "AADSTS7000112"],
    ],
    verdict: "misconfigured",
    means:
      "Microsoft doesn't accept the client ID or secret of your Almanac administrator, for example because the secret has expired.",
  },
  shared.unprovenClient,
  {
    requests: ["renew_access"],
    statuses: ["4xx"],
    words: [
      ...["invalid_grant", "unauthorized_client", "interaction_required", "consent_required", "login_required"],
      ...["access_denied", "account_selection_required"],
    ],
    verdict: "reconnect",
    means:
      "The user or an administrator has removed the access, the password was changed, a policy asks for another sign-in, or Microsoft has ended the access.",
  },
  shared.notRenewed,
  {
    requests: ["exchange_code"],
    statuses: ["4xx"],
    words: ["invalid_grant", "interaction_required", "consent_required", "login_required"],
    verdict: "reconnect",
    means: "The sign-in took too long, was used before, or has to be repeated.",
  },
  shared.noticesEnded,
  {
    requests: ["renew_watch"],
    statuses: [404, 410],
    words: "own",
    verdict: "gone",
    means: "Microsoft's notices have ended already.",
  },
  shared.noNotices,
  shared.noAccess,
  {
    requests: ["list_calendars"],
    statuses: [403],
    words: ["ErrorAccessDenied", "Authorization_RequestDenied"],
    verdict: "reconnect",
    means: "The user's permission for their calendars is missing.",
  },
  {
    requests: ofEventLists,
    statuses: null,
    words: [
      ...["SyncStateNotFound", "SyncStateInvalid", "resyncRequired", "ErrorInvalidSyncStateData"],
      ...["resyncChangesApplyDifferences", "resyncChangesUploadDifferences"],
    ],
    verdict: "read_all",
    means: "The sync token has ended.",
  },
  {
    requests: ["list_event_changes"],
    statuses: [400],
    words: "own",
    verdict: "read_all",
    means: "Microsoft doesn't accept the sync token.",
  },
  {
    requests: ["create_event"],
    statuses: null,
    words: ["ErrorDuplicateTransactionId"],
    verdict: "exists",
    means: "An earlier try, whose response was lost, has created the event.",
  },
  {
    requests: ["create_event"],
    statuses: [409],
    words: "own",
    verdict: "exists",
    means: "An earlier try, whose response was lost, has created the event.",
  },
  {
    requests: ["change_event", "delete_event"],
    statuses: null,
    words: ["ErrorIrresolvableConflict", "ErrorChangeKeyRequired", "ErrorStaleObject"],
    verdict: "changed",
    means: "Someone else has changed the event since it was read.",
  },
  {
    requests: ["change_event", "delete_event"],
    statuses: [409],
    words: "own",
    verdict: "changed",
    means: "Someone else is changing the event at the same time.",
  },
  {
    requests: ["delete_event"],
    statuses: [404, 410],
    words: notThere,
    verdict: "done",
    means: "The event was deleted already.",
  },
  {
    requests: [...ofEventLists, "read_event", "find_link", "create_event", "change_event"],
    statuses: [404, 410],
    words: notThere,
    verdict: "gone",
    means: "The event or its calendar no longer exists at Microsoft.",
  },
  {
    requests: ["list_event_changes"],
    statuses: [404, 410],
    words: "own",
    verdict: "read_all",
    means: "Microsoft doesn't know the sync token.",
  },
  {
    requests: ofWrites,
    statuses: [404, 410],
    words: "own",
    verdict: "retry",
    means: "Microsoft doesn't find the mailbox, which says nothing of the event.",
  },
  ...rest,
];
