import { randomUUID } from "node:crypto";
import { isRequestedRefusal } from "@/server/domain/requested-faults";
import type { MinuteCount } from "@/server/store/request-logs/request-logs";

const MINUTE_MS = 60_000;
/** Minutes of applications that are held while nothing can be written. */
const MOST_HELD = 10_000;

export interface TallyBatch {
  /** The same however often the batch is sent: it is counted once. */
  id: string;
  counts: MinuteCount[];
}

interface Tallied {
  at: Date;
  status: number;
  applicationId: string | null;
  errorKey?: string | null;
  errorKeys?: readonly string[];
}

export interface Tally {
  add(request: Tallied): void;
  /** What was added since the last time; null: nothing. */
  take(): TallyBatch | null;
  readonly size: number;
  /** Requests since the start of which there is no room even to count them. */
  readonly lost: number;
}

/** Counts requests that are not stored. */
export function tally(): Tally {
  let counts = new Map<string, MinuteCount>();
  let lost = 0;
  return {
    add({ at, status, applicationId, errorKey, errorKeys = errorKey ? [errorKey] : [] }) {
      const minute = Math.floor(at.getTime() / MINUTE_MS) * MINUTE_MS;
      const key = `${minute} ${applicationId ?? ""}`;
      const known = counts.get(key);
      if (!known && counts.size >= MOST_HELD) {
        lost += 1;
        return;
      }
      const count = known ?? { minute: new Date(minute), applicationId: applicationId ?? "", ...NONE };
      if (!known) counts.set(key, count);
      count.requests += 1;
      if (isRequestedRefusal(errorKeys)) return;
      if (status >= 400 && status < 500) count.clientErrors += 1;
      if (status >= 500) count.serverErrors += 1;
      if (status === 429) count.throttled += 1;
    },
    take() {
      if (counts.size === 0) return null;
      const batch = { id: randomUUID(), counts: [...counts.values()] };
      counts = new Map();
      return batch;
    },
    get size() {
      return counts.size;
    },
    get lost() {
      return lost;
    },
  };
}

const NONE = { requests: 0, clientErrors: 0, serverErrors: 0, throttled: 0 };
