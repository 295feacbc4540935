import { STAFF_CALLS } from "@/server/http/rate-limit/buckets";

/** Refusals that an operator gets late, so that calling again at once takes no time of others. */
export interface LateRefusals {
  /** Waits for so many seconds, unless a full bucket's calls of this operator wait already. */
  hold(operatorId: string, seconds: number): Promise<void>;
}

export function lateRefusals(): LateRefusals {
  const waiting = new Map<string, number>();
  return {
    async hold(operatorId, seconds) {
      const others = waiting.get(operatorId) ?? 0;
      if (others >= STAFF_CALLS.burst) return;
      waiting.set(operatorId, others + 1);
      await new Promise((resolve) => setTimeout(resolve, seconds * 1_000));
      const left = (waiting.get(operatorId) ?? 0) - 1;
      if (left > 0) waiting.set(operatorId, left);
      else waiting.delete(operatorId);
    },
  };
}
