import type { Client, FairQueue } from "@/server/http/admission/fair-queue";
import type { Applicant, QueueSlot, Used } from "@/server/http/admission/queue-slot";

/** The slots that one request holds in several queues. */
export interface AdmissionSlots {
  enter(queue: FairQueue, applicant: Applicant, client: Client): Promise<void>;
  used(more: Partial<Used>): void;
  leave(): void;
}

export function admissionSlots(): AdmissionSlots {
  const held: QueueSlot[] = [];
  return {
    async enter(queue, applicant, client) {
      held.push(await queue.enter(applicant, client));
    },
    used(more) {
      for (const slot of held) slot.used(more);
    },
    leave() {
      for (const slot of held.splice(0)) slot.leave();
    },
  };
}
