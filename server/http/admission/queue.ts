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

/** Who asks for a slot, and what for. */
export interface Applicant {
  applicationId: string;
  /** Null: the application itself, by its client credentials. */
  accountId: string | null;
  writes: boolean;
}

/** What a request used. */
export interface Usage {
  /** Rows that it wrote. */
  rows: number;
  /** Of its response. */
  bytes: number;
}

/** What a request has that was let in. */
export interface QueueSlot {
  /** What it used beside what it said before. */
  used(more: Partial<Usage>): void;
  /** Lets the next one in. A second call does nothing. */
  leave(): void;
}

/** The clock of a queue. */
export interface Timing {
  /** Milliseconds of a clock that never goes back. */
  monotonic(): number;
  /** Runs `work` once, in so many milliseconds; gives how to call it off. */
  after(milliseconds: number, work: () => void): () => void;
}
