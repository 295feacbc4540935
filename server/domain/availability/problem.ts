import type { Instant } from "@/server/domain/time/instant";

/** Why an account is not called free although no event says that it is busy. */
export const problemReasons = [
  "disconnected",
  "initial_sync",
  "calendar_deleted",
  "no_calendars",
  "beyond_horizon",
] as const;

export type ProblemReason = (typeof problemReasons)[number];

export interface Problem {
  reason: ProblemReason;
  /** Since when; of `beyond_horizon`, the end of what is known. Null: nobody noted it. */
  since: Instant | null;
}
