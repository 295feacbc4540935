import { z } from "zod";
import { notificationTypeNames } from "@/server/domain/channels/notification-types";
import { text, time } from "@/server/services/fields";

const LONGEST = 600;
const MOST_VALUES = 20;
const word = text({ min: 1, max: LONGEST });
const anyOf = <const Values extends readonly string[]>(values: Values) =>
  z.array(z.enum(values)).max(MOST_VALUES).optional();

export const states = ["pending", "delivered", "failed", "cancelled"] as const;
export const errorClasses = ["dns", "connect", "tls", "timeout", "blocked", "reset", "http", "internal"] as const;
export const statusClasses = ["2xx", "3xx", "4xx", "5xx", "none"] as const;

/** What is pending is queued until an attempt of it failed, then retrying. */
const filterStates = [...states, "queued", "retrying"] as const;

/** What the list of deliveries can be narrowed by; all that is given must hold, one value of each list. */
export const deliveryFilters = {
  state: anyOf(filterStates),
  /** Of the last attempt. */
  errorClass: anyOf(errorClasses),
  /** Of the last attempt's answer; `none`: it had none, or there was no attempt. */
  statusClass: anyOf(statusClasses),
  application: word.optional(),
  /** An id, or a whole email. */
  account: word.optional(),
  channel: word.optional(),
  /** Of the callback URL, whole. */
  host: word.optional(),
  type: anyOf(notificationTypeNames),
  /** Created at or after. */
  from: time.optional(),
  /** Created before. */
  to: time.optional(),
  /** An attempt of it has been due for over 30 seconds. */
  late: z.literal(true).optional(),
  /** Of a delivery, a channel, an account, an application, or a request that caused it. */
  id: word.optional(),
  /** One search: any of these ids, a domain, or how an endpoint (host and path), a path, an email or an application calendar's id begins. */
  q: word.optional(),
};

export const deliveryFilter = z.object(deliveryFilters);
export type DeliveryFilters = z.output<typeof deliveryFilter>;

/** Filters as they were requested, to keep and to show. */
export function askedFilters({ from, to, ...rest }: DeliveryFilters): Record<string, string | string[] | true> {
  const all: Record<string, string | string[] | true | undefined> = {
    ...rest,
    from: from && iso(from.micros),
    to: to && iso(to.micros),
  };
  return Object.fromEntries(Object.entries(all).flatMap(([name, value]) => (isGiven(value) ? [[name, value]] : [])));
}

/** Whether anything but the time of creation narrows what is meant. */
export function isNarrow({ from: _, to: __, ...rest }: DeliveryFilters): boolean {
  return Object.values(rest).some(isGiven);
}

function isGiven<Value>(value: Value | undefined): value is Value {
  return value !== undefined && !(Array.isArray(value) && value.length === 0);
}

const MICROS_IN_MS = 1_000;

function iso(micros: number): string {
  const ms = Math.floor(micros / MICROS_IN_MS);
  return new Date(ms).toISOString().replace("Z", `${String(micros - ms * MICROS_IN_MS).padStart(3, "0")}Z`);
}
