import { startFilledRadicale } from "@/tests/fakes/filled-radicale";
import { startICloudFront } from "@/tests/fakes/icloud-front";
import { serveTasks } from "@/tests/rig/side-process";

const EVENTS = 5;
const password = "abcd-efgh-ijkl-mnop";

const emails = Array.from({ length: Number(process.env.MAILBOXES) }, (_, i) => `person-${i}@example.com`);
const people = emails.map((user) => ({ user, password }));
const radicale = await startFilledRadicale(people);
const front = await startICloudFront(radicale.url);
front.behaviour.leads = "nowhere"; // the entry is not named as iCloud's is, whose links lead to other hosts
for (const login of people) radicale.fill(login, await radicale.makeCalendar("Personal", login), EVENTS);
const tasks = {
  address: () => ({ origin: front.url, password }),
  emails: () => emails,
  /** From now on each response takes so long. */
  slow: (delay: number) => {
    front.behaviour.slowness = delay;
  },
  /** How many requests came since this was asked the last time. */
  requests: () => front.asked.splice(0).length,
};
serveTasks(tasks, () => radicale.close());
