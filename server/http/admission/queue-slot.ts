/** Who asks for a slot, and what for. */
export interface Applicant {
  applicationId: string;
  /** Null: the application itself, by its client credentials. */
  accountId: string | null;
  writes: boolean;
}

/** What a request used. */
export interface Used {
  /** Rows that it wrote. */
  rows: number;
  /** Of its response. */
  bytes: number;
}

/** What a request has that was let in. */
export interface QueueSlot {
  /** What it used beside what it said before. */
  used(more: Partial<Used>): void;
  /** Lets the next one in. A second call does nothing. */
  leave(): void;
}
