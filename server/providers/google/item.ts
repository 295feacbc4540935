import type { Person } from "@/server/domain/events/event-state";
import { guestAddress } from "@/server/domain/events/guests";
import { objectOf, textOf } from "@/server/providers/json-values";

/** `start`, `end` or `originalStartTime` (reference of Events, "start"): a date of an all-day event, else a time. */
export interface ItemTime {
  date?: string | null;
  dateTime?: string | null;
  timeZone?: string | null;
}

/** An event as the API has it. Every field but the id may be missing: a deleted exception has no more than it needs. */
export type Item = Record<string, unknown> & { id: string };

/** Gives the items of a list; what has no id is no event. */
export function itemsOf(value: unknown): Item[] {
  const all = Array.isArray(value) ? value.map(objectOf) : [];
  return all.filter((item): item is Item => typeof item.id === "string");
}

export function etagOf({ etag }: Item): string | null {
  return textOf(etag);
}

export function timeOf(value: unknown): ItemTime {
  const { date, dateTime, timeZone } = objectOf(value);
  return { date: textOf(date), dateTime: textOf(dateTime), timeZone: textOf(timeZone) };
}

/** Of a cancelled occurrence there may be nothing but its id: that of its series, and its original start. */
const INSTANCE_ID = /^(.+)_(\d{8}(?:T\d{6}Z)?)$/;

/** Gives the series that an item is an exception of. Null: it is an event itself. */
export function seriesOf(item: Item): string | null {
  const named = textOf(item.recurringEventId);
  return named ?? (isCancelled(item) ? (INSTANCE_ID.exec(item.id)?.[1] ?? null) : null);
}

/** Gives the original start in the id of an occurrence, as RFC 5545 writes dates and times. */
export function startInId({ id }: Item): string | null {
  return INSTANCE_ID.exec(id)?.[2] ?? null;
}

/** Tells whether it repeats ("recurrence"): only then it has exceptions. */
export function isSeries({ recurrence }: Item): boolean {
  return Array.isArray(recurrence) && recurrence.length > 0;
}

export function isCancelled({ status }: Item): boolean {
  return status === "cancelled";
}

/** Reads a person. Returns null for somebody who has no address. */
export function personOf(value: unknown): Person | null {
  const { email, displayName } = objectOf(value);
  const address = guestAddress(textOf(email) ?? "");
  return address === "" ? null : { email: address, display_name: textOf(displayName)?.trim() || null };
}
