import { type EventContent, type Mail, type StoredEvent, sameAddress, type World } from "./state";

/** What a change did to an event that may have guests. */
export interface Announcement {
  event: StoredEvent;
  /** The content before; undefined for a new event. */
  before?: EventContent;
  /** The content after; undefined for an event that is gone. */
  after?: EventContent;
  occurrence?: string;
  comment?: string;
}

/** Fields that are the organizer's own: [K], changing them alone sends nothing. */
const own = new Set(["categories", "isReminderOn", "reminderMinutesBeforeStart"]);

/**
 * Puts into the outbox what a change by the organizer sends; Graph has no way to keep it from doing so.
 * "Update event": "An event update that includes only the attendees property … sends a meeting update to only the attendees that have changed."
 */
export function announce(world: World, { event, before, after, occurrence, comment }: Announcement): void {
  const from = event.calendar.owner.email;
  const send = (to: string, kind: Mail["kind"]) => {
    const { subject } = after ?? before ?? event.content;
    world.outbox.push({
      to,
      from,
      kind,
      eventId: event.id,
      subject,
      ...(occurrence !== undefined && { occurrence }),
      ...(comment !== undefined && { comment }),
    });
  };
  const [old, current] = [guestsOf(before, from), guestsOf(after, from)];
  const isUpdate = before !== undefined && after !== undefined && differs(before, after);
  for (const address of current) {
    if (!includes(old, address)) send(address, "invitation");
    else if (isUpdate) send(address, "update");
  }
  for (const address of old) if (!includes(current, address)) send(address, "cancellation");
}

const includes = (list: string[], address: string) => list.some((one) => sameAddress(one, address));

function guestsOf(content: EventContent | undefined, organizer: string): string[] {
  const addresses = (content?.attendees ?? []).map(({ emailAddress }) => emailAddress?.address ?? "");
  return addresses.filter((address) => !sameAddress(address, organizer));
}

/** Whether more than the list of guests and the organizer's own fields changed. */
function differs(before: EventContent, after: EventContent): boolean {
  const shared = (content: EventContent) =>
    JSON.stringify(Object.entries(content).filter(([name]) => name !== "attendees" && !own.has(name)));
  return shared(before) !== shared(after);
}
