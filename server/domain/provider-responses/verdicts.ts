/** What a request to a provider is for. */
export const requestKinds = [
  "renew_access",
  "exchange_code",
  "end_grant",
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

/** What follows from a response that isn't a success. */
export const verdicts = [
  /** The user has to connect again. */
  "reconnect",
  /** The access token is replaced, and the request sent once more. */
  "replace_token",
  /** The registration of this service at the provider is wrong: nobody's access has ended. */
  "misconfigured",
  /** There is no mailbox, or not at this moment. */
  "no_mailbox",
  /** The provider has refused the write for good. */
  "undo",
  /** What was asked for can't be read, which stops nothing else. */
  "skip",
  "wait_mailbox",
  "wait_service",
  /** A bad moment. */
  "retry",
  /** The sync token has ended: everything is read. */
  "read_all",
  "gone",
  /** Others have changed it since it was read. */
  "changed",
  /** An earlier try has created it. */
  "exists",
  "done",
  /** It isn't watched for now, and polled. */
  "no_watch",
  /** The same, and the provider watches nothing of the kind. */
  "never_watched",
] as const;
export type Verdict = (typeof verdicts)[number];

export interface VerdictRow {
  requests: readonly RequestKind[];
  /** Null: any. */
  statuses: readonly (number | "4xx" | "5xx")[] | null;
  /** Words of the provider's own for the error, in any case. `own`: whatever its words are. Null: also a response that isn't the provider's. */
  words: readonly string[] | "own" | null;
  verdict: Verdict;
  /** The row counts until then: `renewed` once the access token was replaced for the request, `proven` once the provider has accepted this service's client id. */
  until?: "renewed" | "proven";
  /** For the documentation: what has happened. */
  means: string;
}

export interface RefusedRequest {
  request: RequestKind;
  status: number;
  /** The provider's own words for the error. None: it isn't the provider's response, such as a proxy's page. */
  words: readonly string[];
  isRenewed?: boolean;
  isProven?: boolean;
}

/** Decides what follows from a response that isn't a success. Without a row for it, it was a bad moment. */
export function verdictOf(rows: readonly VerdictRow[], refused: RefusedRequest): Verdict {
  return decidingRow(rows, refused)?.verdict ?? "retry";
}

/** Finds the first row that fits a response. */
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
