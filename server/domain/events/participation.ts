import type { EventState } from "@/server/domain/events/event-state";
import type { Provider } from "@/server/domain/providers";

/** What the user is to an event. */
export type Participation = "organizer" | "guest" | "none";

type People = Pick<EventState, "organizer" | "attendees" | "participationStatus">;

/** Calendars in which an event that someone else organizes is an invitation, even if no guests are listed. */
const invitesUnlisted: readonly Provider[] = ["microsoft", "outlook", "hosted"];
/** Replies that only guests have. */
const ofGuests: readonly string[] = ["needs_action", "declined", "tentative"];

/**
 * Determines what the user is to an event, by the addresses that they are known by. A hidden guest list names nobody,
 * or the user alone.
 */
export function participationIn(
  { organizer, attendees, participationStatus }: People,
  { provider, own }: { provider: Provider; own: ReadonlySet<string> },
): Participation {
  if (organizer && own.has(organizer.email)) return "organizer";
  if (attendees.some(({ email }) => own.has(email))) return "guest";
  if (!organizer) return "none";
  const isUnlisted = attendees.length === 0 && invitesUnlisted.includes(provider);
  return isUnlisted || ofGuests.includes(participationStatus) ? "guest" : "none";
}

/** Reports whether the user organizes an event: it names them, or nobody. */
export function isOrganizedBy({ organizer }: Pick<People, "organizer">, own: ReadonlySet<string>): boolean {
  return organizer === null || own.has(organizer.email);
}
