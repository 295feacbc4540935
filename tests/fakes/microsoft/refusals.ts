import type { WireResponse } from "./errors";
import type { FaultInput } from "./faults";

/** What a request is for, as the documentation of Almanac tells them apart. */
const requests = {
  renew_access: { method: "POST", path: /\/oauth2\/v2\.0\/token$/ },
  exchange_code: { method: "POST", path: /\/oauth2\/v2\.0\/token$/ },
  list_calendars: { method: "GET", path: /\/(me|users\/[^/]+)\/calendars$/ },
  read_settings: { method: "GET", path: /\/(me|users\/[^/]+)\/mailboxSettings$/ },
  list_events: { method: "GET", path: /\/calendarView\/delta$/, query: { startDateTime: /./ } },
  list_event_changes: { method: "GET", path: /\/calendarView\/delta$/, query: { $deltatoken: /./ } },
  read_event: { method: "GET", path: /\/events\/[^/]+$/ },
  find_link: { method: "GET", path: /\/events\/[^/]+$/ },
  open_watch: { method: "POST", path: /\/subscriptions$/ },
  renew_watch: { method: "PATCH", path: /\/subscriptions\/[^/]+$/ },
  stop_watch: { method: "DELETE", path: /\/subscriptions\/[^/]+$/ },
  create_event: { method: "POST", path: /\/calendars\/[^/]+\/events$/ },
  change_event: { method: "PATCH", path: /\/events\/[^/]+$/ },
  delete_event: { method: "DELETE", path: /\/events\/[^/]+$/ },
  batch: { method: "POST", path: /\/\$batch$/ },
} as const satisfies Record<string, FaultInput>;

export type MicrosoftRequest = keyof typeof requests;
export const microsoftRequests = Object.keys(requests) as MicrosoftRequest[];

const ofOAuth: readonly string[] = ["renew_access", "exchange_code"];

/** A fault with which any kind of request is refused with a status and Microsoft's word for the reason, or the number of the sign-in service. */
export function microsoftRefusal(kind: MicrosoftRequest, status: number, word: string): FaultInput {
  return { ...requests[kind], respond: responseOf(kind, status, word) };
}

/** A fault with which any kind of request gets a response that is not Microsoft's, such as a proxy's. */
export function notMicrosofts(
  kind: MicrosoftRequest,
  status: number,
  body = "<html><h1>Blocked</h1></html>",
): FaultInput {
  return { ...requests[kind], respond: { status, headers: { "content-type": "text/html" }, body } };
}

function responseOf(kind: MicrosoftRequest, status: number, word: string): WireResponse {
  const message = "Refused by a test.";
  if (!ofOAuth.includes(kind)) return { status, body: { error: { code: word, message, innerError: {} } } };
  const number = /^AADSTS(\d+)$/.exec(word)?.[1];
  const error = number === undefined ? word : "invalid_request";
  const error_description = `AADSTS${number ?? "9999999"}: ${message}`;
  return { status, body: { error, error_description, ...(number && { error_codes: [Number(number)] }) } };
}
