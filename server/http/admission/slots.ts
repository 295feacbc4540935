import type { Client, FairQueue } from "@/server/http/admission/fair-queue";
import type { Applicant, QueueSlot, Used } from "@/server/http/admission/queue-slot";

/** What one request holds: slots in several queues, and memory for its body. */
export interface AdmissionSlots {
  enter(queue: FairQueue, asker: Asker): Promise<void>;
  /** Runs something in a slot that is left when it is over. */
  within<Result>(queue: FairQueue, asker: Asker, work: () => Promise<Result>): Promise<Result>;
  /** Has something called when the request leaves. */
  keep(end: () => void): void;
  used(more: Partial<Used>): void;
  leave(): void;
}

export interface Asker {
  applicant: Applicant;
  client: Client;
}

export function admissionSlots(): AdmissionSlots {
  const held: QueueSlot[] = [];
  const kept: (() => void)[] = [];
  return {
    async enter(queue, { applicant, client }) {
      held.push(await queue.enter(applicant, client));
    },
    async within(queue, { applicant, client }, work) {
      const slot = await queue.enter(applicant, client);
      return await work().finally(slot.leave);
    },
    keep: (end) => void kept.push(end),
    used(more) {
      for (const slot of held) slot.used(more);
    },
    leave() {
      for (const slot of held.splice(0)) slot.leave();
      for (const end of kept.splice(0)) end();
    },
  };
}
