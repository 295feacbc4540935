import type { Attendee } from "@microsoft/microsoft-graph-types";
import { badRequest } from "./errors";
import { type EventContent, sameAddress } from "./state";

/** Page "event resource type": "The maximum number of attendees included in an event … is 500." The code is [K]. */
const MOST = 500;
const NEVER = "0001-01-01T00:00:00Z";
const types = ["required", "optional", "resource"] as const;

/** The stored attendees of a write: the list replaces the old one, and who was invited before keeps the response. */
export function attendeesOf(given: unknown, before: Attendee[]): Attendee[] {
  if (given === null || given === undefined) return [];
  if (!Array.isArray(given)) throw badRequest("RequestBodyRead", "The property 'attendees' has to be a collection.");
  if (given.length > MOST)
    throw badRequest("ErrorExceededMaxRecipientLimit", "The number of attendees exceeds the limit.");
  return given.map((attendee: Attendee) => writtenAttendee(attendee, before));
}

function writtenAttendee({ emailAddress, type }: Attendee, before: Attendee[]): Attendee {
  const address = emailAddress?.address ?? "";
  const known = before.find((one) => sameAddress(one.emailAddress?.address, address));
  // [K]: addresses of Exchange itself (legacyExchangeDN) may be written back.
  if (!known && !/^[^\s@]+@[^\s@]+$/.test(address) && !/^\/o=/i.test(address)) {
    throw badRequest("ErrorInvalidRecipients", "At least one recipient isn't valid.");
  }
  const wanted = types.find((one) => one === type?.toLowerCase()) ?? known?.type ?? "required";
  return {
    type: wanted,
    // Type ResponseStatus: "none – from organizer's perspective"; a client cannot write responses.
    status: known?.status ?? { response: "none", time: NEVER },
    emailAddress: { name: emailAddress?.name ?? known?.emailAddress?.name ?? address, address },
  };
}

/** [K], MS-OXOCAL on significant changes: another time asks everybody again. */
export function withoutResponses(attendees: Attendee[]): Attendee[] {
  return attendees.map((one) => ({ ...one, status: { response: "none", time: NEVER } }));
}

/** Whether two contents begin or end at different times. */
export function movesInTime(before: EventContent, after: EventContent): boolean {
  const side = ({ start, end, isAllDay }: EventContent) =>
    JSON.stringify([start.local, start.zone, end.local, end.zone, isAllDay]);
  return side(before) !== side(after);
}
