import type { HeldBody } from "@/server/http/admission/body-memory";
import type { Client, FairQueue } from "@/server/http/admission/fair-queue";
import type { Applicant, QueueSlot, Usage } from "@/server/http/admission/queue";

/** In bytes: pages of usual events are never that long. */
const ORDINARY_RESPONSE = 200_000;

/** What one request holds: slots in several queues, and memory for its body. */
export interface AdmissionSlots {
  enter(queue: FairQueue, asker: Asker): Promise<void>;
  /** Runs something in a slot that is left when it is over. */
  within<Result>(queue: FairQueue, asker: Asker, work: () => Promise<Result>): Promise<Result>;
  /** Gives back the body, which is held until the request leaves. */
  keeping(body: HeldBody): HeldBody;
  used(more: Partial<Usage>): void;
  leave(): void;
}

export interface Asker {
  applicant: Applicant;
  client: Client;
}

export function admissionSlots(): AdmissionSlots {
  const held: QueueSlot[] = [];
  const bodies: HeldBody[] = [];
  return {
    async enter(queue, { applicant, client }) {
      held.push(await queue.enter(applicant, client));
    },
    async within(queue, { applicant, client }, work) {
      const slot = await queue.enter(applicant, client);
      return await work().finally(slot.leave);
    },
    keeping(body) {
      bodies.push(body);
      return body;
    },
    used(more) {
      for (const slot of held) slot.used(more);
    },
    leave() {
      for (const slot of held.splice(0)) slot.leave();
      for (const body of bodies.splice(0)) body.end();
    },
  };
}

/** Counts the bytes of a response that are read in bulk: those beyond an ordinary one, twice. */
export function bulkBytes(bytes: number): number {
  return 2 * Math.max(0, bytes - ORDINARY_RESPONSE);
}
