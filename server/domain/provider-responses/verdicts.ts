/** Purposes of a request to a provider. */
export const requestKinds = [
  "renew_access",
  "exchange_code",
  "end_grant",
  "act_for_user",
  "read_directory",
  "list_calendars",
  "list_calendar_changes",
  "read_settings",
  "list_events",
  "list_event_changes",
  "read_event",
  "find_link",
  "open_watch",
  "renew_watch",
  "stop_watch",
  "create_event",
  "change_event",
  "delete_event",
  "batch",
] as const;
export type RequestKind = (typeof requestKinds)[number];

/** Consequences of an unsuccessful response. */
export const verdicts = [
  /** The user has to connect again. */
  "reconnect",
  /** The access token is replaced, and the request sent once more. */
  "replace_token",
  /** This service's registration at the provider is wrong: nobody's access has ended. */
  "misconfigured",
  /** There is no mailbox, or not right now. */
  "no_mailbox",
  /** The provider has refused the write for good. */
  "undo",
  /** The requested resource can't be read, which stops nothing else. */
  "skip",
  "wait_mailbox",
  "wait_service",
  /** A temporary failure. */
  "retry",
  /** The sync token has expired: everything is read. */
  "read_all",
  "gone",
  /** Someone else has changed it since it was read. */
  "changed",
  /** An earlier attempt has created it. */
  "exists",
  "done",
  /** It isn't watched for now, and is polled instead. */
  "no_watch",
  /** The same, and the provider never watches this kind. */
  "never_watched",
] as const;
export type Verdict = (typeof verdicts)[number];

export interface VerdictRow {
  requests: readonly RequestKind[];
  /** Null: any. */
  statuses: readonly (number | "4xx" | "5xx")[] | null;
  /**
   * The provider's own error codes, in any case. `own`: any of its codes. Null: even a response that isn't the
   * provider's.
   */
  words: readonly string[] | "own" | null;
  verdict: Verdict;
  /**
   * The row applies until then: `renewed` once the access token was replaced for the request, `proven` once the
   * provider has accepted this service's client id.
   */
  until?: "renewed" | "proven";
  /** For the documentation: what has happened. */
  means: string;
}

export interface RefusedRequest {
  request: RequestKind;
  status: number;
  /** The provider's own error codes. Empty: it isn't the provider's response, such as a proxy's page. */
  words: readonly string[];
  isRenewed?: boolean;
  isProven?: boolean;
}

/** Decides what follows from an unsuccessful response. Without a matching row it was a temporary failure. */
export function verdictOf(rows: readonly VerdictRow[], refused: RefusedRequest): Verdict {
  return decidingRow(rows, refused)?.verdict ?? "retry";
}

/** Finds the first row that matches a response. */
export function decidingRow(rows: readonly VerdictRow[], refused: RefusedRequest): VerdictRow | undefined {
  return rows.find((row) => fits(row, refused));
}

function fits({ requests, statuses, words, until }: VerdictRow, refused: RefusedRequest): boolean {
  if (!requests.includes(refused.request)) return false;
  if ((until === "renewed" && refused.isRenewed) || (until === "proven" && refused.isProven)) return false;
  if (statuses && !statuses.some((one) => isStatus(one, refused.status))) return false;
  if (words === null) return true;
  if (words === "own") return refused.words.length > 0;
  const said = refused.words.map((word) => word.toLowerCase());
  return words.some((word) => said.includes(word.toLowerCase()));
}

function isStatus(expected: number | "4xx" | "5xx", status: number): boolean {
  return typeof expected === "number" ? expected === status : Number(expected[0]) === Math.floor(status / 100);
}
