export interface Timing {
  /** Milliseconds of a clock that never goes back. */
  monotonic(): number;
  /** Runs `work` once, in so many milliseconds; gives how to call it off. */
  after(milliseconds: number, work: () => void): () => void;
}
