/** What a trigger counts from. */
export const anchors = ["event_start", "event_end"] as const;
export type Anchor = (typeof anchors)[number];

/** The most triggers of an account. */
export const MAX_TRIGGERS = 1_000;
/** The most minutes before or after an event: a week. */
export const MAX_TRIGGER_MINUTES = 10_080;
export const MAX_MIN_GUESTS = 1_000;
/** A trigger that fires later than this after its time says so. */
export const LATE_MS = 60_000;
/** Events that are moved or written are noticed so often. */
export const LOOK_AGAIN_S = 20;
