import { errorClasses } from "@/server/domain/channels/error-classes";
import { notificationTypeNames } from "@/server/domain/channels/notification-types";
import { MAX_CALLBACK_URL } from "@/server/domain/text-limits";

/** A field that narrows a staff list; `about` is what the GraphQL documentation says of it. */
export type ListFilter = { about?: string } & (
  | { kind: "id" | "text"; max?: number }
  | { kind: "texts"; max: number }
  | { kind: "choices"; values: readonly string[] }
  | { kind: "number"; min: number; max: number }
  // A flag is true, false or omitted; `only` is true or omitted.
  | { kind: "flag" | "only" | "time" }
);
export type ListFilters = Readonly<Record<string, ListFilter>>;

interface Values {
  id: string;
  text: string;
  texts: string[];
  choices: string[];
  number: number;
  flag: boolean;
  only: true;
  /** With an offset. */
  time: string;
}

/** What callers give for a filter. */
export type FilterValue<Filter extends ListFilter> = Filter extends { values: readonly string[] }
  ? FilterChoice<Filter>[]
  : Values[Filter["kind"]];
export type FilterChoice<Filter> = Filter extends { values: readonly (infer Value)[] } ? Value : never;
export type FilterValues<List extends ListFilters> = { -readonly [Name in keyof List]?: FilterValue<List[Name]> };

/** The names of a list's filters that take values of a closed set. */
export type ChoiceName<List extends ListFilters> = {
  [Name in keyof List]: List[Name]["kind"] extends "choices" ? Name : never;
}[keyof List];

export const methods = ["GET", "POST", "DELETE", "PUT", "PATCH", "HEAD", "OPTIONS"];
export const statusClasses = ["2xx", "3xx", "4xx", "5xx"] as const;
export const deliveryStates = ["pending", "delivered", "failed", "cancelled"] as const;

export const requestList = {
  method: { kind: "texts", max: 20 },
  path: { kind: "text", about: "A full path, or its beginning up to a slash." },
  endpoint: { kind: "text", about: "A route's pattern: `/v1/calendars/{calendar_id}/events`." },
  statusClass: { kind: "choices", values: statusClasses },
  status: { kind: "number", min: 100, max: 599 },
  application: { kind: "id" },
  account: { kind: "id", about: "An ID, or a full email." },
  /** Also a status, as `requests.errors` has it: `404`. */
  errorKey: { kind: "text", about: "`errors.required`, `invalid_grant`." },
  from: { kind: "time", about: "Inclusive." },
  to: { kind: "time", about: "Exclusive." },
  id: {
    kind: "id",
    max: MAX_CALLBACK_URL,
    about:
      "Search: a log ID, request ID, account, profile, application, calendar, channel or delivery ID, or the beginning of an email, a callback URL or an application_calendar_id.",
  },
} as const satisfies ListFilters;

export const deliveryList = {
  /** What is pending is queued until an attempt of it failed, then retrying. */
  state: { kind: "choices", values: [...deliveryStates, "queued", "retrying"] },
  /** Of the last attempt, as is the response. */
  errorClass: { kind: "choices", values: errorClasses },
  statusClass: { kind: "choices", values: [...statusClasses, "none"] },
  application: { kind: "id" },
  account: { kind: "id", about: "An ID, or a full email." },
  channel: { kind: "id" },
  host: { kind: "text", about: "Full host of the callback URL." },
  type: { kind: "choices", values: notificationTypeNames },
  from: { kind: "time", about: "Created at or after this time." },
  to: { kind: "time", about: "Created before this time." },
  late: { kind: "only", about: "Only deliveries with an attempt that has been due for over 30 seconds." },
  id: {
    kind: "id",
    about: "ID of a delivery, channel, account or application, or of the request that created the channel.",
  },
  q: {
    kind: "text",
    max: MAX_CALLBACK_URL,
    about: "Search: any of these IDs, or the beginning of an endpoint, a domain or an email.",
  },
} as const satisfies ListFilters;

/** The filters that say whose deliveries are meant; the others say which of them. */
export const ownerFilters = ["application", "account", "channel", "host", "id", "q"] as const;
export type OwnerFilter = (typeof ownerFilters)[number];

/** Whether anything but the time of creation says which deliveries are meant: only then may all of them be retried. */
export function isNarrow({ from: _, to: __, ...rest }: { from?: unknown; to?: unknown }): boolean {
  return Object.values(rest).some(isGiven);
}

export function isGiven<Value>(value: Value | undefined): value is Value {
  return value !== undefined && !(Array.isArray(value) && value.length === 0);
}

export const accountList = {
  q: {
    kind: "text",
    max: MAX_CALLBACK_URL,
    about: "An ID, or the start of an email address, a callback URL or application_calendar_id.",
  },
  application: { kind: "id", max: 100 },
  disconnected: { kind: "flag", about: "If true, only accounts with a disconnected profile." },
  sync: {
    kind: "choices",
    values: ["failing", "late"],
    about:
      "`failing`: at least three syncs of a profile failed in a row. `late`: a sync has been due for over five minutes.",
  },
  revoked: { kind: "flag" },
} as const satisfies ListFilters;

export const channelList = {
  account: { kind: "id" },
  application: { kind: "id" },
  open: { kind: "flag" },
} as const satisfies ListFilters;

export const endpointStates = ["active", "failing", "paused", "closed"] as const;
export type EndpointState = (typeof endpointStates)[number];

export const endpointList = {
  state: { kind: "choices", values: endpointStates },
  application: { kind: "id" },
  account: { kind: "id", about: "An ID, or a full email." },
  q: {
    kind: "text",
    max: MAX_CALLBACK_URL,
    about: "Search: a full ID, or the beginning of an endpoint, a path, a domain or an email.",
  },
} as const satisfies ListFilters;
