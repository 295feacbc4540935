import type { RequestRow } from "@/server/services/staff/lists/requests";

export type StoredBody = string | number | boolean | null | StoredBody[] | { [field: string]: StoredBody };

/** What was sent and returned, as the log keeps it: tokens, credentials and event text are `[redacted]`. */
export interface RequestDetail extends RequestRow {
  query: string | null;
  address: string | null;
  requestHeaders: Record<string, string>;
  requestBody: StoredBody;
  responseHeaders: Record<string, string>;
  responseBody: StoredBody;
  /** For a connect page that was refused because of its redirect URI. */
  redirect: MismatchedRedirect | null;
  caused: RequestEffects;
}

export interface MismatchedRedirect {
  /** Without its query; null: none was sent. */
  sent: string | null;
  /** The application's current URIs. */
  registered: string[];
}

/** What an accepted request caused, as far as it still exists. */
export interface RequestEffects {
  deliveries: { id: string; type: string; state: "pending" | "delivered" | "failed" | "cancelled" }[];
  events: CausedEvent[];
  channel: { id: string; closedAt: string | null } | null;
  /** The account of an opened application calendar, or of an exchanged code or token. */
  accountId: string | null;
}

export interface CausedEvent {
  calendarId: string;
  eventId: string;
  /** stored: the calendar has no provider. pushed, waiting, refused: the state at the provider. */
  state: "stored" | "pushed" | "waiting" | "refused" | "deleted";
  /** Why the provider refused it, or why it is still waiting. */
  reason: string | null;
}

/** Responses of one kind: `key` is an issue's key, an OAuth error, or the status when the response had neither. */
export interface ErrorGroup {
  endpoint: string | null;
  method: string;
  key: string;
  count: number;
  /** How many there are of the kind, whoever got them. */
  of: number;
  last: string;
  /** The newest request of the group. */
  sampleId: string;
  /** How many applications and accounts got them. */
  applications: number;
  accounts: number;
  /** Who got most of them, and how many. Null: the caller is unknown, or an application without an account. */
  applicationId: string | null;
  applicationName: string | null;
  accountId: string | null;
  accountName: string | null;
  ofAccount: number;
}

export interface RequestPulse {
  /** The newest request of the last hour. */
  newest: string | null;
}

/** Requests of the last 24 hours that have no row in the log. */
export interface UnstoredRequests {
  count: number;
}
