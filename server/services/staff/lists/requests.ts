import { endpoints } from "@/server/domain/endpoints";
import { MAX_CALLBACK_URL } from "@/server/domain/text-limits";
import type { StaffList } from "@/server/services/staff/lists/list";

/** One line of the request log. Times are ISO, in UTC. */
export interface RequestRow {
  /** Our own id; a request id may be the caller's and is not unique. */
  id: string;
  requestId: string;
  at: string;
  method: string;
  path: string;
  /** The route's pattern; null: no route. */
  endpoint: string | null;
  status: number;
  durationMs: number;
  applicationId: string | null;
  applicationName: string | null;
  accountId: string | null;
  /** The account's email, or for an application calendar the application's name for it. */
  accountName: string | null;
  errorKeys: string[];
}

export const methods = ["GET", "POST", "DELETE", "PUT", "PATCH", "HEAD", "OPTIONS"];
export const statusClasses = ["2xx", "3xx", "4xx", "5xx"] as const;

/** What errors of a route and key are grouped by: nothing else, or also by who got them. */
export const errorGroupings = ["error", "application", "account"] as const;
export type ErrorGrouping = (typeof errorGroupings)[number];

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** The ranges of the charts, by their names in the query: how many bars, and how long each is. */
export const trafficRanges = {
  "1h": { bars: 60, barMs: MINUTE_MS },
  "24h": { bars: 24, barMs: HOUR_MS },
  "7d": { bars: 56, barMs: 3 * HOUR_MS },
} as const;
export type TrafficRange = keyof typeof trafficRanges;

const FEW_ENOUGH = "at most 10,000 matching requests";
/** What no index has in order is sorted within a time range. */
const aDay = { values: { range: "24h" }, unless: ["range", "from", "to"] };

export const requestList = {
  name: "requests",
  path: "/dashboard/requests",
  search: { name: "id", label: "Search requests", placeholder: "ID, callback URL or email" },
  filters: {
    statusClass: {
      kind: "choices",
      values: statusClasses,
      chip: {
        label: "Status",
        typed: { name: "status", label: "Or a status code", placeholder: "422" },
      },
    },
    from: { kind: "time", about: "Inclusive.", chip: { label: "Time" } },
    to: { kind: "time", about: "Exclusive." },
    method: { kind: "texts", max: 20, chip: { label: "Method", options: methods } },
    endpoint: {
      kind: "text",
      about: "A route's pattern: `/v1/calendars/{calendar_id}/events`.",
      chip: { label: "Route", options: endpoints },
    },
    application: { kind: "id", chip: { label: "Application" } },
    account: {
      kind: "id",
      about: "An ID, or a full email.",
      chip: { label: "Account", placeholder: "acc_… or anna@acme.com", hint: "Full ID or email." },
    },
    /** An error key or a status, as `requests.errors` has it: `404`. */
    errorKey: {
      kind: "text",
      about: "`errors.required`, `invalid_grant`.",
      chip: {
        label: "Error key",
        placeholder: "errors.required",
        hint: "The key of a 422 error, or an OAuth error such as invalid_grant.",
      },
    },
    status: { kind: "number", min: 100, max: 599 },
    path: {
      kind: "text",
      about: "A full path, or its start up to a slash.",
      chip: {
        label: "Path",
        placeholder: "/v1/calendars/cal_…",
        hint: "The full path, or its start up to a slash.",
      },
    },
    id: {
      kind: "id",
      max: MAX_CALLBACK_URL,
      about:
        "Search: a log ID, request ID, account, profile, application, calendar, channel or delivery ID, or the start of an email, a callback URL or an application_calendar_id.",
    },
  },
  sorts: {
    newest: { label: "Newest first", direction: "descending" },
    oldest: { label: "Oldest first", direction: "ascending" },
    slowest: { label: "Slowest first", about: FEW_ENOUGH, direction: "descending", sets: aDay },
    status: { label: "Highest status first", about: FEW_ENOUGH, direction: "descending", sets: aDay },
  },
  columns: {
    request_id: ({ requestId }) => requestId,
    at: ({ at }, time) => time(at),
    method: ({ method }) => method,
    path: ({ path }) => path,
    endpoint: ({ endpoint }) => endpoint,
    status: ({ status }) => status,
    duration_ms: ({ durationMs }) => durationMs.toFixed(1),
    application_id: ({ applicationId }) => applicationId,
    application: ({ applicationName }) => applicationName,
    account_id: ({ accountId }) => accountId,
    error_keys: ({ errorKeys }) => errorKeys.join(" "),
    log_id: ({ id }) => id,
  },
} as const satisfies StaffList<RequestRow>;
