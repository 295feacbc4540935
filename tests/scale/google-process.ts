import { startGoogle } from "@/tests/fakes/google/google";
import { mixedEvent } from "@/tests/fakes/google/mixed-events";
import type { EventResource } from "@/tests/fakes/google/state";
import { serveTasks } from "@/tests/rig/side-process";

const EVENTS = 5;

const emails = Array.from({ length: Number(process.env.MAILBOXES) }, (_, i) => `person-${i}@example.com`);
const google = await startGoogle({ accounts: emails.map((email) => ({ email })), knobs: { consent: "given" } });
for (const email of emails) {
  for (let n = 0; n < EVENTS; n += 1) google.account(email).primary.putEvent(mixedEvent(n));
}
serveTasks({
  address: () => ({ origin: google.origin, client: google.client }),
  emails: () => emails,
  /** From now on each response takes so long. */
  slow: (delay: number) => google.faults.next({ delay, times: Number.MAX_SAFE_INTEGER }),
  /** Nobody is notified of changes in the calendars of every other person. */
  halfUnwatched: () =>
    google.faults.next({
      ...{ path: /\/person-\d*[02468]@[^/]*\/events\/watch$/, times: Number.MAX_SAFE_INTEGER },
      respond: "pushNotSupported" as const,
    }),
  /** Somebody creates an event, or replaces one. */
  put: ({ email, event }: { email: string; event: EventResource }) => google.account(email).primary.putEvent(event),
  /** How many requests came since this was asked the last time. */
  requests: () => google.requests.splice(0).length,
});
