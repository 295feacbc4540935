import type { FairQueue } from "@/server/http/admission/fair-queue";
import type { Applicant, QueueSlot, Used } from "@/server/http/admission/queue-slot";

/** The places that one request has, in several queues. */
export interface AdmissionSlots {
  enter(queue: FairQueue, applicant: Applicant): Promise<void>;
  used(more: Partial<Used>): void;
  leave(): void;
}

export function places(): AdmissionSlots {
  const held: QueueSlot[] = [];
  return {
    async enter(queue, applicant) {
      held.push(await queue.enter(applicant));
    },
    used(more) {
      for (const place of held) place.used(more);
    },
    leave() {
      for (const place of held.splice(0)) place.leave();
    },
  };
}
