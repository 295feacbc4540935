import type { Interval } from "@/server/domain/availability/intervals";
import type { Instant } from "@/server/domain/time/instant";

export type OfferFormat = "periods" | "slots" | "overlapping_slots";

/** Members of whom all, or some number of different ones, are to be free at once. */
export interface Group {
  members: readonly string[];
  required: "all" | number;
}

/** What is known of the time of one member. */
export interface Member {
  /** What takes the member's time, in any order. What has no length takes none. */
  busy: readonly Interval[];
  /** The only time that may be offered, in any order: what touches is one. Null is any time. */
  within: readonly Interval[] | null;
  /** Whether too little is known of the member's time to offer any of it. */
  isProblem: boolean;
}

/** A question for time that members of groups have in common. */
export interface Question {
  groups: readonly Group[];
  /** By name. A member without an entry is never free. */
  members: ReadonlyMap<string, Member>;
  /**
   * The time asked about, in any order. What overlaps or touches is one, but starts of slots are counted from the start of each entry as it
   * is here. With working hours the caller passes, for each period that was sent, what `workingHours` leaves of it: slots then start with
   * the hours, not at a fraction that midnight has in another zone.
   */
  periods: readonly Interval[];
  durationMs: number;
  /** How many milliseconds before and after an offer have to be free of events. They may lie outside `periods` and `within`. */
  before: number;
  after: number;
  format: OfferFormat;
  /** How many milliseconds lie between the starts of slots. More than 0; periods make no use of it. */
  intervalMs: number;
  /** How many offers to return at most: the earliest ones. */
  most: number;
}

/** Time that enough members of every group have free, and who they are, in the order in which the groups first name them. */
export interface Offer {
  start: Instant;
  end: Instant;
  participants: string[];
}
