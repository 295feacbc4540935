import type { Applicant } from "@/server/http/admission/application";
import type { FairQueue, QueueSlot } from "@/server/http/admission/fair-queue";

/** The places that one request has, in several queues. */
export interface AdmissionSlots {
  enter(queue: FairQueue, asked: Applicant): Promise<void>;
  wrote(rows: number): void;
  leave(): void;
}

export function places(): AdmissionSlots {
  const held: QueueSlot[] = [];
  return {
    async enter(queue, asked) {
      held.push(await queue.enter(asked));
    },
    wrote(rows) {
      for (const place of held) place.wrote(rows);
    },
    leave() {
      for (const place of held.splice(0)) place.leave();
    },
  };
}
