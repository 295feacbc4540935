import { randomUUID } from "node:crypto";

/** What the server sends back. A body that is an object is sent as JSON. */
export interface WireResponse {
  status: number;
  headers?: Record<string, string>;
  body?: object | string;
}

/** Carries a whole error response to the edge of the server. */
export class MicrosoftError extends Error {
  constructor(readonly response: WireResponse) {
    super(JSON.stringify(response.body));
  }
}

interface GraphErrorInput {
  status: number;
  code: string;
  message: string;
  headers?: Record<string, string>;
  /** Further members of the error object. */
  more?: Record<string, unknown>;
}

/** An error of Graph in the form of "Microsoft Graph error responses and resource types". */
export function graphError({ status, code, message, headers, more }: GraphErrorInput): MicrosoftError {
  const id = randomUUID();
  const innerError = { date: new Date().toISOString().slice(0, 19), "request-id": id, "client-request-id": id };
  return new MicrosoftError({
    status,
    body: { error: { code, message, ...more, innerError } },
    headers: { "request-id": id, "client-request-id": id, ...headers },
  });
}

/** 400: a value is not allowed. */
export const badRequest = (code: string, message: string) => graphError({ status: 400, code, message });

/** 400 of Exchange: [K], the code that most refusals of events have. */
export const invalidRequest = (message: string) => badRequest("ErrorInvalidRequest", message);

/** 400 of Exchange: [K], what a property that cannot be converted or validated gets. */
export const invalidProperty = (message: string) => badRequest("ErrorPropertyValidationFailure", message);

/** The delta token is expired: the page "Use delta query", Synchronization reset; text and spelling from microsoft-graph-docs#2350. */
export function gone(code: string, location?: string): MicrosoftError {
  const message =
    code === "resyncRequired"
      ? "Resync is required."
      : "The sync state generation is not found; generation=149;[highest=157][157][155][156].";
  return graphError({ status: 410, code, message, ...(location && { headers: { location } }) });
}

/** 404 of the directory: microsoft-graph-docs#6059. */
export const resourceNotFound = (id: string) =>
  graphError({
    status: 404,
    code: "Request_ResourceNotFound",
    message: `Resource '${id}' does not exist or one of its queried reference-property objects are not present.`,
  });

/** 404 of Exchange for somebody whom it does not know: microsoft-graph-docs#7909, microsoft-graph-explorer-v4#4038. */
export const invalidUser = (user: string) =>
  graphError({ status: 404, code: "ErrorInvalidUser", message: `The requested user '${user}' is invalid.` });

const throttled = (code: string, message: string) => graphError({ status: 429, code, message });

/** Every error of Graph that can be requested by name. The codes are of Exchange or of the page on errors; [K] where no source is named. */
export const knownErrors = {
  invalidToken: () =>
    graphError({
      status: 401,
      code: "InvalidAuthenticationToken",
      message: "Access token has expired or is not yet valid.",
      headers: { "www-authenticate": 'Bearer realm="", error="invalid_token"' },
    }),
  accessDenied: () =>
    graphError({
      status: 403,
      code: "ErrorAccessDenied",
      message: "Access is denied. Check credentials and try again.",
    }),
  // microsoftgraph/msgraph-sdk-php#1163.
  notDelegated: () => badRequest("BadRequest", "/me request is only valid with delegated authentication flow."),
  authorizationDenied: () =>
    graphError({
      status: 403,
      code: "Authorization_RequestDenied",
      message: "Insufficient privileges to complete the operation.",
    }),
  itemNotFound: () =>
    graphError({
      status: 404,
      code: "ErrorItemNotFound",
      message: "The specified object was not found in the store.",
    }),
  // A mailbox that was never created, or whose license ended.
  mailboxNotEnabled: () =>
    graphError({
      status: 404,
      code: "MailboxNotEnabledForRESTAPI",
      message: "The mailbox is either inactive, soft-deleted, or is hosted on-premise.",
    }),
  syncStateNotFound: () => gone("SyncStateNotFound"),
  resyncRequired: () => gone("resyncRequired"),
  // Text from microsoft-graph-docs#2256.
  irresolvableConflict: () =>
    graphError({
      status: 412,
      code: "ErrorIrresolvableConflict",
      message:
        "The send or update operation could not be performed because the change key passed in the request does not match the current change key for the item.",
    }),
  // Text from magodo/terraform-provider-outlook#21.
  mailboxConcurrency: () => throttled("ApplicationThrottled", "Application is over its MailboxConcurrency limit."),
  tooManyRequests: () => throttled("TooManyRequests", "Too many requests."),
  activityLimitReached: () => throttled("activityLimitReached", "The app or user has been throttled."),
  internalServerError: () =>
    graphError({ status: 500, code: "ErrorInternalServerError", message: "An internal server error occurred." }),
  badGateway: () => graphError({ status: 502, code: "BadGateway", message: "Failed to execute backend request." }),
  serviceUnavailable: () =>
    graphError({ status: 503, code: "ErrorServerBusy", message: "The server cannot service this request right now." }),
  // Text from microsoft-graph-docs#6499.
  gatewayTimeout: () => graphError({ status: 504, code: "UnknownError", message: "" }),
} satisfies Record<string, () => MicrosoftError>;

export type KnownError = keyof typeof knownErrors;
