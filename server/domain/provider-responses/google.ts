import {
  ofCalendars,
  ofChanges,
  ofContent,
  ofDelegations,
  ofEventLists,
  ofSignIn,
  ofWatches,
  ofWrites,
  passing,
  rest,
  sharedRows,
} from "@/server/domain/provider-responses/kinds";
import { requestKinds, type VerdictRow } from "@/server/domain/provider-responses/verdicts";

const shared = sharedRows("Google");

/**
 * Google's codes: `error.errors[].reason`, `error.status`, `error.details[].reason`, and OAuth's `error` ("Handle API
 * errors").
 */
export const googleVerdicts: readonly VerdictRow[] = [
  {
    requests: requestKinds,
    statuses: null,
    words: [
      ...["dailyLimitExceeded", "dailyLimitExceededUnreg", "variableTermExpiredDailyExceeded"],
      ...["defaultPerMinutePerProject", "defaultPerDayPerProject"],
    ],
    verdict: "wait_service",
    means: "The quota of your Almanac administrator's Google project is used up.",
  },
  {
    requests: requestKinds,
    statuses: null,
    words: [
      ...["userRateLimitExceeded", "userRateLimitExceededUnreg", "rateLimitExceeded", "rateLimitExceededUnreg"],
      ...["quotaExceeded", "calendarUsageLimitExceeded", "limitExceeded", "concurrentLimitExceeded"],
      ...["servingLimitExceeded", "variableTermLimitExceeded", "RESOURCE_EXHAUSTED", "slow_down"],
    ],
    verdict: "wait_mailbox",
    means: "Too many requests for the account.",
  },
  {
    requests: ofCalendars,
    statuses: null,
    words: ["accessNotConfigured", "SERVICE_DISABLED", "insufficientAudience", "insufficientAuthorizedParty"],
    verdict: "misconfigured",
    means: "The Calendar API is not enabled in your Almanac administrator's Google project.",
  },
  {
    requests: ofSignIn,
    statuses: null,
    words: [
      ...["invalid_client", "deleted_client", "disabled_client", "restricted_client", "org_internal"],
      ...["unsupported_grant_type", "invalid_scope", "invalid_request", "redirect_uri_mismatch"],
    ],
    verdict: "misconfigured",
    means: "Google doesn't accept the client ID or secret of your Almanac administrator.",
  },
  shared.unprovenClient,
  {
    requests: requestKinds,
    statuses: null,
    words: [
      ...["backendError", "internalError", "backendNotConnected", "notReady", "responsePreparationFailure"],
      ...["INTERNAL", "UNAVAILABLE", "ABORTED", "internal_failure", "server_error", "temporarily_unavailable"],
      ...["CANCELLED", "DEADLINE_EXCEEDED", "UNKNOWN"],
    ],
    verdict: "retry",
    means: "Google is down or overloaded.",
  },
  {
    requests: ofCalendars,
    statuses: null,
    words: ["notACalendarUser", "accountDisabled", "accountDeleted", "accountUnverified", "domainPolicy"],
    verdict: "no_mailbox",
    means: "The user's account has no calendar right now, for example because an administrator has turned it off.",
  },
  ...passing,
  ...ofDelegations,
  {
    requests: ["renew_access"],
    statuses: ["4xx"],
    words: [
      ...["invalid_grant", "unauthorized_client", "access_denied", "admin_policy_enforced", "interaction_required"],
      ...["consent_required", "login_required", "account_selection_required"],
    ],
    verdict: "reconnect",
    means:
      "The user or an administrator has removed the access, the password was changed, or Google has ended the access.",
  },
  shared.notRenewed,
  {
    requests: ["exchange_code"],
    statuses: ["4xx"],
    words: ["invalid_grant"],
    verdict: "reconnect",
    means: "The sign-in took too long, or was used before.",
  },
  {
    requests: ["end_grant"],
    statuses: [400],
    words: "own",
    verdict: "done",
    means: "The access has ended already.",
  },
  {
    requests: ["open_watch"],
    statuses: ["4xx"],
    words: ["pushNotSupportedForRequestedResource"],
    verdict: "never_watched",
    means: "Google sends no notices of the calendar, as of holidays and birthdays.",
  },
  {
    requests: ["open_watch", "renew_watch"],
    statuses: ["4xx"],
    words: ["push.webhookUrlUnauthorized", "push.webhookUrlNotHttps", "channelIdNotUnique", "channelUnknown"],
    verdict: "no_watch",
    means: "Google doesn't accept the address for its notices.",
  },
  shared.noticesEnded,
  {
    requests: ofWatches,
    statuses: [401],
    words: ["authError", "required", "expired", "UNAUTHENTICATED", "invalid_token"],
    verdict: "replace_token",
    until: "renewed",
    means: "Google doesn't accept the access token.",
  },
  shared.staleToken,
  shared.noNotices,
  shared.noAccess,
  {
    requests: ofContent,
    statuses: null,
    words: ["insufficientPermissions", "ACCESS_TOKEN_SCOPE_INSUFFICIENT"],
    verdict: "reconnect",
    means: "The user's permission for their calendars is missing.",
  },
  {
    requests: ofChanges,
    statuses: null,
    words: ["fullSyncRequired", "updatedMinTooLongAgo"],
    verdict: "read_all",
    means: "The sync token has ended.",
  },
  {
    requests: ofChanges,
    statuses: [400],
    words: "own",
    verdict: "read_all",
    means: "Google doesn't accept the sync token.",
  },
  {
    requests: ["list_calendar_changes"],
    statuses: [404, 410],
    words: "own",
    verdict: "read_all",
    means: "Google doesn't know the sync token.",
  },
  {
    requests: ["create_event"],
    statuses: null,
    words: ["duplicate", "ALREADY_EXISTS"],
    verdict: "exists",
    means: "An earlier try, whose response was lost, has created the event.",
  },
  {
    requests: ofWrites,
    statuses: [409],
    words: "own",
    verdict: "changed",
    means: "Someone else is changing the event at the same time.",
  },
  {
    requests: ["delete_event"],
    statuses: [404, 410],
    words: "own",
    verdict: "done",
    means: "The event was deleted already.",
  },
  {
    requests: [...ofEventLists, "read_event", "find_link", "create_event", "change_event"],
    statuses: [404, 410],
    words: "own",
    verdict: "gone",
    means: "The event or its calendar no longer exists at Google.",
  },
  ...rest,
];
