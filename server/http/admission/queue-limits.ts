/** How many requests run at once, and how many wait, for how long. */
export interface QueueLimits {
  atOnce: number;
  perApplication: number;
  perAccount: number;
  waitingPerAccount: number;
  waitingPerApplication: number;
  waiting: number;
  /** Milliseconds that a request waits at most. */
  patience: number;
  /** Milliseconds that a slot is held at most. */
  longestHold: number;
}
