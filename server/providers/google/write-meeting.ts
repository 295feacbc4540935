import { randomUUID } from "node:crypto";
import { isPending } from "@/server/domain/events/conferencing";
import type { EventState } from "@/server/domain/events/event-state";
import type { Item } from "@/server/providers/google/item";
import { requestStatus } from "@/server/providers/google/read-content";

/** Requests a meeting once, and takes it away only where Google has one of its own. */
export function meetingAfter(state: EventState, remote: EventState, main: Item): Record<string, unknown> {
  const isRequested = requestStatus(main) === "pending" || requestStatus(main) === "success";
  if (isPending(state.conferencing) && remote.conferencing === null && !isRequested) {
    return { conferenceData: newMeeting() };
  }
  const hasOwn = main.conferenceData !== undefined && main.conferenceData !== null;
  return state.conferencing === null && remote.conferencing !== null && hasOwn ? { conferenceData: null } : {};
}

/** Builds the request for a new meeting. "requestId: … a new one for each new request" */
export function newMeeting(): object {
  return { createRequest: { requestId: randomUUID(), conferenceSolutionKey: { type: "hangoutsMeet" } } };
}
