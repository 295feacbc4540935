import { isPending, type MeetingLink } from "@/server/domain/events/conferencing";
import type { EventState } from "@/server/domain/events/event-state";
import type { GraphApi } from "@/server/providers/microsoft/api";
import type { Property } from "@/server/providers/microsoft/event-body";
import { type Item, itemsOf } from "@/server/providers/microsoft/item";
import { EXPAND_OWN, MEETING_PROPERTY, NO_MEETING, propertyOf } from "@/server/providers/microsoft/properties";
import { bodyOf } from "@/server/providers/microsoft/read-body";
import { conferencingOf } from "@/server/providers/microsoft/read-content";
import { eventPath } from "@/server/providers/microsoft/series-items";

/** What a PATCH says of the meeting. */
export interface MeetingChange {
  body: Record<string, unknown>;
  properties: Property[];
  /** What the meeting has appended to the body is to go. */
  takesOff: boolean;
}

/** "isOnlineMeeting … After you set isOnlineMeeting to true, Microsoft Graph initializes onlineMeeting." Where the calendar does not allow it, nothing comes of it. */
export const newMeeting = { isOnlineMeeting: true, onlineMeetingProvider: "teamsForBusiness" };

/**
 * Determines how a write changes the meeting. A meeting is requested once and never taken away ("the meeting remains
 * available online"). Instead, a property says for good that the event does not show it.
 */
export function meetingAfter(state: EventState, remote: EventState, main: Item): MeetingChange {
  const isHidden = propertyOf(main, MEETING_PROPERTY) === NO_MEETING;
  const has = main.isOnlineMeeting === true || Boolean(main.onlineMeeting);
  if (isPending(state.conferencing) && remote.conferencing === null) {
    const properties = isHidden ? [{ id: MEETING_PROPERTY, value: "shown" }] : [];
    return { body: newMeeting, properties, takesOff: false };
  }
  if (state.conferencing !== null || remote.conferencing === null || !has)
    return { body: {}, properties: [], takesOff: false };
  return { body: {}, properties: [{ id: MEETING_PROPERTY, value: NO_MEETING }], takesOff: true };
}

/** Tells whether the body, read as text, shows a meeting that the application has taken off: writing a body brings it back. */
export function showsAgain(main: Item): boolean {
  return propertyOf(main, MEETING_PROPERTY) === NO_MEETING && /_{30,}/.test(bodyOf(main).text);
}

const FIELDS = "isOnlineMeeting,onlineMeetingProvider,onlineMeeting,onlineMeetingUrl,isOrganizer";

/** Looks for the link of a meeting that was requested. */
export async function meetingLink(
  api: GraphApi,
  { calendarId, externalId }: { calendarId: string; externalId: string },
): Promise<MeetingLink | "pending" | "failed"> {
  const query = { $select: FIELDS, $expand: EXPAND_OWN };
  const path = eventPath(calendarId, externalId);
  const { verdict, body } = await api({ kind: "find_link", path, query, accepts: ["gone"] });
  const [item] = verdict === null ? itemsOf([body]) : [];
  const link = item ? conferencingOf(item) : null;
  if (link === null) return "failed";
  return isPending(link) ? "pending" : link;
}
