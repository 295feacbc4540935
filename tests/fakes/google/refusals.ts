import { quotaError, type WireResponse } from "./errors";
import type { FaultInput } from "./faults";

/** What a request is for, as the documentation of Almanac tells them apart. */
const requests = {
  renew_access: { method: "POST", path: /^\/token$/ },
  exchange_code: { method: "POST", path: /^\/token$/ },
  end_grant: { method: "POST", path: /^\/revoke$/ },
  list_calendars: { method: "GET", path: /\/users\/me\/calendarList$/ },
  list_calendar_changes: { method: "GET", path: /\/users\/me\/calendarList$/, query: { syncToken: /./ } },
  list_events: { method: "GET", path: /\/calendars\/[^/]+\/events$/, query: { maxResults: /./ } },
  list_event_changes: { method: "GET", path: /\/calendars\/[^/]+\/events$/, query: { syncToken: /./ } },
  read_event: { method: "GET", path: /\/events\/[^/]+$/ },
  open_watch: { method: "POST", path: /\/watch$/ },
  stop_watch: { method: "POST", path: /\/channels\/stop$/ },
  create_event: { method: "POST", path: /\/calendars\/[^/]+\/events$/ },
  change_event: { method: "PATCH", path: /\/events\/[^/]+$/ },
  delete_event: { method: "DELETE", path: /\/events\/[^/]+$/ },
} as const satisfies Record<string, FaultInput>;

export type GoogleRequest = keyof typeof requests;
export const googleRequests = Object.keys(requests) as GoogleRequest[];

const ofOAuth: readonly string[] = ["renew_access", "exchange_code", "end_grant"];

/** A fault with which any kind of request is refused with a status and Google's word for the reason. */
export function googleRefusal(kind: GoogleRequest, status: number, word: string): FaultInput {
  return { ...requests[kind], respond: responseOf(kind, status, word) };
}

/** A fault with which any kind of request gets a response that is not Google's, such as a proxy's. */
export function notGoogles(kind: GoogleRequest, status: number, body = "<html><h1>Blocked</h1></html>"): FaultInput {
  return { ...requests[kind], respond: { status, headers: { "content-type": "text/html" }, body } };
}

function responseOf(kind: GoogleRequest, status: number, word: string): WireResponse {
  if (ofOAuth.includes(kind)) return { status, body: { error: word, error_description: "Refused by a test." } };
  // Google's newer words are in capitals, and stand beside the old ones.
  if (word === word.toUpperCase()) {
    const details = [{ "@type": "type.googleapis.com/google.rpc.ErrorInfo", reason: word, domain: "googleapis.com" }];
    return { status, body: { error: { code: status, message: "Refused by a test.", status: word, details } } };
  }
  if (word.endsWith("PerProject")) return quotaError(status, word).response;
  const errors = [{ domain: "global", reason: word, message: "Refused by a test." }];
  return { status, body: { error: { code: status, message: "Refused by a test.", errors } } };
}
