import { graphMeeting } from "@/tests/fakes/microsoft/graph-meeting";
import { startMicrosoft } from "@/tests/fakes/microsoft/microsoft";
import { serveTasks } from "@/tests/rig/side-process";

const EVENTS = 5;

const emails = Array.from({ length: Number(process.env.MAILBOXES) }, (_, i) => `person-${i}@example.com`);
const microsoft = await startMicrosoft({ accounts: emails.map((email) => ({ email })), knobs: { consent: "given" } });
for (const email of emails) {
  for (let n = 0; n < EVENTS; n += 1) microsoft.account(email).primary.putEvent(graphMeeting(n));
}
serveTasks({
  address: () => ({ origin: microsoft.origin, client: microsoft.client }),
  emails: () => emails,
  /** From now on each response takes so long. */
  slow: (delay: number) => microsoft.faults.next({ delay, times: Number.MAX_SAFE_INTEGER }),
  /** How many requests came since this was asked the last time. */
  requests: () => microsoft.requests.splice(0).length,
});
