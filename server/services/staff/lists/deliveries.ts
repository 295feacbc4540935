import { errorClasses } from "@/server/domain/channels/error-classes";
import { type NotificationType, notificationTypeNames } from "@/server/domain/channels/notification-types";
import { MAX_CALLBACK_URL } from "@/server/domain/text-limits";
import type { StaffList } from "@/server/services/staff/lists/list";
import { statusClasses } from "@/server/services/staff/lists/requests";

export const deliveryStates = ["pending", "delivered", "failed", "cancelled"] as const;
export type DeliveryState = (typeof deliveryStates)[number];

/** One line of the list. Times are ISO, in UTC. */
export interface DeliveryRow {
  id: string;
  type: NotificationType;
  applicationId: string;
  applicationName: string | null;
  accountId: string;
  /** The account's email, or for an application calendar the application's name for it; null: it is gone. */
  accountName: string | null;
  channelId: string;
  /** The host of the callback URL, with its port unless that is 443. */
  host: string;
  /** Host and path of the callback URL, without its query. */
  endpoint: string;
  state: DeliveryState;
  /** Includes those that staff requested. */
  attempts: number;
  /** The status of the last attempt; of a delivered one, the status that accepted it. Null: no response. */
  lastStatus: number | null;
  /** Why there was no response: `dns`, `connect`, `tls`, `timeout`, `blocked`, `reset`, `http`, `internal`. */
  lastError: string | null;
  createdAt: string;
  nextAttemptAt: string | null;
  /** When it was delivered, failed or cancelled. */
  finishedAt: string | null;
  /** Whether staff have requested an attempt. */
  manual: boolean;
  /** Whether it is a test of the endpoint. */
  test: boolean;
  /** Whether an attempt has been due for over 30 seconds. */
  late: boolean;
  /** Whether it is pending, and its last attempt failed. */
  retrying: boolean;
}

export const deliveryList = {
  name: "deliveries",
  path: "/dashboard/deliveries",
  search: { name: "q", label: "Search deliveries", placeholder: "ID, callback URL or email" },
  filters: {
    /** A pending delivery is queued until an attempt failed, then retrying. */
    state: { kind: "choices", values: [...deliveryStates, "queued", "retrying"], chip: { label: "State" } },
    from: { kind: "time", about: "Created at or after this time.", chip: { label: "Created" } },
    to: { kind: "time", about: "Created before this time." },
    application: { kind: "id", chip: { label: "Application" } },
    account: {
      kind: "id",
      about: "An ID, or a full email.",
      chip: { label: "Account", placeholder: "acc_… or anna@acme.com", hint: "Full ID or email." },
    },
    channel: {
      kind: "id",
      chip: { label: "Channel", placeholder: "chn_…", hint: "Also shows the channel’s health." },
    },
    host: {
      kind: "text",
      about: "Full host of the callback URL.",
      chip: { label: "Host", placeholder: "hooks.acme.com", hint: "Full host of the callback URL." },
    },
    /** Of the last attempt, like the error. */
    statusClass: {
      kind: "choices",
      values: [...statusClasses, "none"],
      chip: { label: "Response", words: { none: "no response" } },
    },
    late: {
      kind: "only",
      about: "Only deliveries with an attempt that has been due for over 30 seconds.",
      chip: { label: "Late", words: { true: "over 30 seconds" } },
    },
    errorClass: { kind: "choices", values: errorClasses, chip: { label: "Error" } },
    type: { kind: "choices", values: notificationTypeNames, chip: { label: "Type" } },
    id: {
      kind: "id",
      about: "ID of a delivery, channel, account or application, or of the request that created the channel.",
    },
    q: {
      kind: "text",
      max: MAX_CALLBACK_URL,
      about: "Search: any of these IDs, or the start of a callback URL, a domain or an email.",
    },
  },
  sorts: {
    newest: { label: "Newest first", direction: "descending" },
    oldest: { label: "Oldest first", direction: "ascending" },
    nextAttempt: {
      label: "Next attempt first",
      about: "the 10,000 newest pending deliveries, then the others, newest first",
      direction: "ascending",
    },
  },
  columns: {
    delivery_id: ({ id }) => id,
    state: ({ state }) => state,
    type: ({ type }) => type,
    application_id: ({ applicationId }) => applicationId,
    application: ({ applicationName }) => applicationName,
    account_id: ({ accountId }) => accountId,
    channel_id: ({ channelId }) => channelId,
    host: ({ host }) => host,
    endpoint: ({ endpoint }) => endpoint,
    attempts: ({ attempts }) => attempts,
    last_status: ({ lastStatus }) => lastStatus,
    last_error: ({ lastError }) => lastError,
    created_at: ({ createdAt }, time) => time(createdAt),
    next_attempt_at: ({ nextAttemptAt }, time) => nextAttemptAt && time(nextAttemptAt),
    finished_at: ({ finishedAt }, time) => finishedAt && time(finishedAt),
    manual: ({ manual }) => manual,
    test: ({ test }) => test,
  },
} as const satisfies StaffList<DeliveryRow>;

export type DeliverySort = keyof typeof deliveryList.sorts;

/** The filters for the owner of deliveries; the others select among them. */
export const ownerFilters = ["application", "account", "channel", "host", "id", "q"] as const;
export type OwnerFilter = (typeof ownerFilters)[number];

/** Reports whether anything but the time of creation narrows the deliveries: only then may all of them be retried. */
export function isNarrow({ from: _, to: __, ...rest }: { from?: unknown; to?: unknown }): boolean {
  return Object.values(rest).some(isGiven);
}

export function isGiven<Value>(value: Value | undefined): value is Value {
  return value !== undefined && !(Array.isArray(value) && value.length === 0);
}
