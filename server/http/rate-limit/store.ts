import type { Bucket, Take } from "@/server/http/rate-limit/buckets";

/** One bucket of one holder. Draws that are taken together have the same `tag`, so that a Redis cluster keeps them in one slot. */
export interface Draw {
  bucket: Bucket;
  tag: string;
  key: string;
}

/** `take`: one token from each, or from none. `peek`: the same answer, nothing taken. `charge`: taken whether or not there is one. */
export type Mode = "take" | "peek" | "charge";

export interface Store {
  /** Settles when the first request need not wait for it, or it cannot be reached. Never rejects. */
  ready(): Promise<void>;
  run(mode: Mode, draws: readonly Draw[]): Take | Promise<Take>;
  /** Whether other processes count in it too. Undefined: it is this process's own. */
  isShared?(): boolean;
  close(): void;
}
