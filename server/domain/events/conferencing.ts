/** Who hosts an online meeting. */
export type MeetingService =
  | "google_meet"
  | "google_hangouts"
  | "microsoft_teams"
  | "skype_for_business"
  | "skype"
  | "other";

/** A calendar's own meeting link: none, being made, or there ("States and transitions", Conferencing). */
export type Conferencing = null | { pending: true } | MeetingLink;

export interface MeetingLink {
  provider: MeetingService;
  join_url: string;
}

/** `conferencing.profile_id` of a write; undefined when the write says nothing of it. */
export type RequestedConferencing = "default" | "integrated" | "none" | undefined;

/** What the calendar's provider has to be sent. */
export type ConferencingTask = "make" | "remove" | null;

export type ConferencingStep = { state: Conferencing; task: ConferencingTask } | "unavailable";

/**
 * What a write makes of the meeting link ("Rules for conferencing"). `makesLinks`: the calendar adds links of its own.
 * A write that says nothing keeps the link, even if the event moves. "unavailable": integrated where there is none.
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

/** What the calendar's answer makes of a link that was asked for: the link, or none when it failed. An answer nobody waits for changes nothing. */
export function settleConferencing(state: Conferencing, made: MeetingLink | "failed"): Conferencing {
  if (!isPending(state)) return state;
  return made === "failed" ? null : made;
}

export function isPending(state: Conferencing): state is { pending: true } {
  return state !== null && "pending" in state;
}

/** What a read of the calendar makes of the link: one that is being created stays so until it is there. */
export function receivedConferencing(own: Conferencing, read: Conferencing): Conferencing {
  return isPending(own) && (read === null || isPending(read)) ? own : read;
}
