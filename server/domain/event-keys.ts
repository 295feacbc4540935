import { hash } from "node:crypto";

/**
 * The request log notes which events a write is about by keys of eight bytes: of the ids that the request names the event
 * by. Keys of two events may be equal, so whoever reads also asks for the account.
 */
export type EventKey = string;

/** Derives the key of an event by the application's id for it. */
export function keyOfEventId(calendarId: string, eventId: string): EventKey {
  return keyOf(`${calendarId}/${eventId}`);
}

/**
 * Derives the key of an event by another id: its event_uid, its booking's id, or the id of the calendar or account all of
 * whose events are deleted.
 */
export function keyOf(id: string): EventKey {
  return Buffer.from(hash("sha256", id, "hex").slice(0, 16), "hex")
    .readBigInt64BE()
    .toString();
}

/**
 * Derives the id of an event that an assistant books from the preview that its user agreed to: the same preview again is
 * the same booking.
 */
export function bookedEventId(previewId: string): string {
  return `mcp-${hash("sha256", previewId, "hex").slice(0, 24)}`;
}
