/** One line of the request log. Times are ISO, in UTC. */
export interface RequestRow {
  /** Our own; a request id may be the caller's and come twice. */
  id: string;
  requestId: string;
  at: string;
  method: string;
  path: string;
  /** The route's pattern; null where there is none. */
  endpoint: string | null;
  status: number;
  durationMs: number;
  applicationId: string | null;
  applicationName: string | null;
  accountId: string | null;
  errorKeys: string[];
}

export type StoredBody = string | number | boolean | null | StoredBody[] | { [field: string]: StoredBody };

/** What was sent and answered, as the log keeps it: tokens, credentials and event text are `[redacted]`. */
export interface RequestDetail extends RequestRow {
  query: string | null;
  address: string | null;
  requestHeaders: Record<string, string>;
  requestBody: StoredBody;
  responseHeaders: Record<string, string>;
  responseBody: StoredBody;
  /** Of a connect page that was refused for its redirect URI. */
  redirect: MismatchedRedirect | null;
  caused: Caused;
}

export interface MismatchedRedirect {
  /** Without its query; null where none was sent. */
  sent: string | null;
  /** Those of the application now. */
  registered: string[];
}

/** What a request that was accepted brought about, as far as it still shows. */
export interface Caused {
  deliveries: { id: string; type: string; state: "pending" | "delivered" | "failed" | "cancelled" }[];
  events: CausedEvent[];
  channel: { id: string; closedAt: string | null } | null;
  /** Of an application calendar that was opened, a code or token that was exchanged. */
  accountId: string | null;
}

export interface CausedEvent {
  calendarId: string;
  eventId: string;
  /** stored: the calendar has no provider. pushed, waiting, refused: what the provider has of it. */
  state: "stored" | "pushed" | "waiting" | "refused" | "deleted";
  /** Why the provider refused it, or why it is still waiting. */
  reason: string | null;
}

/** Responses of one kind: `key` is an issue's key, an OAuth error, or the status where the response had neither. */
export interface ErrorGroup {
  endpoint: string | null;
  method: string;
  key: string;
  count: number;
  last: string;
  /** The newest request of them. */
  sampleId: string;
}

export interface RequestPulse {
  /** The newest request of the last hour. */
  newest: string | null;
}

/** Requests of the last 24 hours that have no row in the log. */
export interface NotStored {
  count: number;
}
