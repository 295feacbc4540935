import type { HeaderSource } from "@/server/http/redaction/redact";

/** A body as the request had it: already parsed (with its bytes on the wire), as the text that was sent, or only how many bytes it had. */
export type LoggedBody = { value: unknown; bytes: number } | { text: string } | { size: number } | null;

export interface RequestLogEntry {
  requestId: string;
  at: Date;
  method: string;
  /** The pathname alone. */
  path: string;
  /** The query string as it came, with or without `?`. */
  search: string;
  status: number;
  durationMs: number;
  applicationId: string | null;
  accountId: string | null;
  /** A credential was accepted. Anybody may name an application: its client id is no secret. */
  isAuthenticated: boolean;
  address: string | null;
  requestHeaders: HeaderSource;
  requestBody: LoggedBody;
  responseHeaders: HeaderSource;
  responseBody: LoggedBody;
  plan: "developer" | "standard" | null;
  /** Why it was refused, where the response's body does not say it, or which fault it asked for. */
  errorKey?: string | null;
}

export interface RequestLogRow
  extends Omit<
    RequestLogEntry,
    "errorKey" | "search" | "isAuthenticated" | "requestHeaders" | "requestBody" | "responseHeaders" | "responseBody"
  > {
  /** Our own; the request id may be the caller's and come twice. */
  id: string;
  query: string | null;
  requestHeaders: Record<string, string>;
  requestBody: unknown;
  responseHeaders: Record<string, string>;
  responseBody: unknown;
  /** The keys of a 422 response (`errors.required`), the `error` of an OAuth response, and `errorKey`. */
  errorKeys: string[];
  /** The keys of the events that it was to write. */
  eventKeys: string[];
}
