/** Services that host online meetings. */
export type MeetingService =
  | "google_meet"
  | "google_hangouts"
  | "microsoft_teams"
  | "skype_for_business"
  | "skype"
  | "other";

/** A calendar's own meeting link: none, pending, or present ("States and transitions", Conferencing). */
export type Conferencing = null | { pending: true } | MeetingLink;

export interface MeetingLink {
  provider: MeetingService;
  join_url: string;
}

/** `conferencing.profile_id` of a write. Undefined: the write doesn't mention it. */
export type RequestedConferencing = "default" | "integrated" | "none" | undefined;

/** The request to the calendar's provider. */
export type ConferencingTask = "make" | "remove" | null;

export type ConferencingStep = { state: Conferencing; task: ConferencingTask } | "unavailable";

/**
 * Applies a write to the meeting link ("Rules for conferencing"). `makesLinks`: the calendar adds links of its own. A
 * write that doesn't mention the link keeps it, even if the event moves. "unavailable": integrated where there is none.
 */
export function askConferencing(
  state: Conferencing,
  asked: RequestedConferencing,
  makesLinks: boolean,
): ConferencingStep {
  if (asked === undefined) return { state, task: null };
  if (asked === "none") return { state: null, task: state === null ? null : "remove" };
  if (!makesLinks) return asked === "integrated" ? "unavailable" : { state, task: null };
  return state === null ? { state: { pending: true }, task: "make" } : { state, task: null };
}

/**
 * Applies the calendar's response to a requested link: the link, or none if it failed. A response to no pending request
 * changes nothing.
 */
export function settleConferencing(state: Conferencing, made: MeetingLink | "failed"): Conferencing {
  if (!isPending(state)) return state;
  return made === "failed" ? null : made;
}

export function isPending(state: Conferencing): state is { pending: true } {
  return state !== null && "pending" in state;
}

/** Applies a read of the calendar to the link: a pending one stays pending until it exists. */
export function receivedConferencing(own: Conferencing, read: Conferencing): Conferencing {
  return isPending(own) && (read === null || isPending(read)) ? own : read;
}
