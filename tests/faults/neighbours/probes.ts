import { eventText, type Mailboxes } from "@/tests/faults/neighbours/mailboxes";
import { eventBody, type Holder, type Tenant } from "@/tests/faults/neighbours/tenants";
import { percentile } from "@/tests/rig/durations";
import type { Post } from "@/tests/rig/receivers";
import { type Operator, signInFrom } from "@/tests/rig/sign-in";
import { passed, until } from "@/tests/rig/until";

/** What the other tenant saw in a while, in milliseconds. */
export interface Seen {
  p50: number;
  p95: number;
  count: number;
  /** Answers that are not the ones that a well-behaved tenant is due. */
  faults: string[];
}

/** Looks at the service for so many milliseconds. */
export type Probe = (forMs: number) => Promise<Seen>;

const EVERY_MS = 40;
const PATIENCE_MS = 90_000;
/** As long as a description may be, in characters of three bytes. */
const MINUTES = "日".repeat(50_000);

/** Reads and small writes of one account, one after the other, 25 a second. */
export function requestProbe({ origin }: Tenant, { token, calendarId }: Holder): Probe {
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  const events = `${origin}/v1/calendars/${calendarId}/events`;
  return paced([
    () => fetch(`${origin}/v1/events?tzid=Etc/UTC&include_managed=true`, { headers }),
    () => fetch(events, { method: "POST", headers, body: eventBody("probe") }),
    () => fetch(`${origin}/v1/free_busy?tzid=Etc/UTC&include_managed=true`, { headers }),
  ]);
}

/** Writes of one account with bodies of 150 KB, one after the other, 25 a second at most. */
export function largeWriteProbe({ origin }: Tenant, { token, calendarId }: Holder): Probe {
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  const events = `${origin}/v1/calendars/${calendarId}/events`;
  let writes = 0;
  return paced([
    () => {
      writes += 1;
      const body = eventBody("probe", { summary: `Minutes ${writes}`, description: MINUTES });
      return fetch(events, { method: "POST", headers, body });
    },
  ]);
}

function paced(requests: readonly (() => Promise<Response>)[]): Probe {
  return async (forMs) => {
    const times: number[] = [];
    const faults: string[] = [];
    const end = performance.now() + forMs;
    for (let i = 0; performance.now() < end; i += 1) {
      const began = performance.now();
      const status = await (requests[i % requests.length] as () => Promise<Response>)()
        .then(async (response) => {
          await response.arrayBuffer();
          return response.status;
        })
        .catch(() => 0);
      times.push(performance.now() - began);
      if (status !== 200 && status !== 202) faults.push(String(status));
      await passed(Math.max(0, began + EVERY_MS - performance.now()));
    }
    return seen(times, faults);
  };
}

interface Watched {
  mailboxes: Mailboxes;
  /** The channel of each mailbox that is changed. */
  channels: ReadonlyMap<string, string>;
  notified(): readonly Post[];
}

/** From a change in a connected mailbox until its notification arrives, in several mailboxes side by side. */
export function notificationProbe({ mailboxes, channels, notified }: Watched): Probe {
  let changes = 0;
  return async (forMs) => {
    const times: number[] = [];
    const faults: string[] = [];
    const end = performance.now() + forMs;
    const follow = async ([user, channelId]: [string, string]) => {
      while (performance.now() < end) {
        const began = Date.now();
        const arrived = () =>
          notified().find((one) => one.at >= began && one.channelId === channelId && one.type === "change");
        changes += 1;
        mailboxes.put(user, `probe-${changes}.ics`, eventText(`probe-${changes}`));
        const what = `the notification of ${user}'s change`;
        await until(() => arrived() !== undefined, { within: PATIENCE_MS, what }).catch((error: unknown) => {
          faults.push(error instanceof Error ? error.message : String(error));
        });
        times.push((arrived()?.at ?? Date.now()) - began);
        await passed(Math.random() * 1_000); // not in step with the polls
      }
    };
    await Promise.all([...channels].map(follow));
    return seen(times, faults);
  };
}

/** Sign-ins of an operator, one after the other, so many however long they take: tries are counted. */
export function signInProbe({ origin }: Tenant, { email, password }: Operator, count: number): Probe {
  return async () => {
    const times: number[] = [];
    const faults: string[] = [];
    for (let i = 0; i < count; i += 1) {
      const began = performance.now();
      const { status } = await signInFrom("127.0.0.1", origin, { email, password });
      times.push(performance.now() - began);
      if (status !== 303) faults.push(String(status));
    }
    return seen(times, faults);
  };
}

function seen(times: readonly number[], faults: string[]): Seen {
  return { p50: percentile(times, 0.5), p95: percentile(times, 0.95), count: times.length, faults };
}
