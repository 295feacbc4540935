import { attacks } from "@/tests/faults/neighbours/attacks";
import { eventText } from "@/tests/faults/neighbours/mailboxes";
import { type DatabaseKind, onStage, type Stage } from "@/tests/faults/neighbours/stage";
import {
  connectMailbox,
  eventBody,
  type Holder,
  hostedCalendar,
  openChannel,
  type Tenant,
} from "@/tests/faults/neighbours/tenants";
import type { Row } from "@/tests/rig/results";
import { passed, until } from "@/tests/rig/until";

const TENANTS = 9;
const HOURS = 24;
/** An hour of the day takes so long here. */
const HOUR_MS = 2_500;
/** Requests of one application in each hour: few at night, most before noon. */
const BUSY = [2, 1, 1, 1, 2, 4, 8, 14, 20, 24, 24, 22, 16, 18, 22, 20, 18, 14, 10, 8, 6, 4, 3, 2];
const PATIENCE_MS = 60_000;

interface Worker {
  tenant: Tenant;
  hosted: Holder;
  mailbox: { user: string; holder: Holder; channelId: string };
  /** What each event is to say in the end; null: it was deleted. */
  expected: Map<string, string | null>;
  /** When somebody else changed the mailbox, and what is to be read then. */
  changes: { at: number; summary: string }[];
  statuses: Map<number, number>;
  random: () => number;
}

/**
 * A day of ten applications in a minute: nine read, write, delete and are notified as the hours go, the tenth plays one attack after the other. In
 * the end everything that was accepted is there, every change was notified, and none of the nine has met an answer that it was not due.
 */
export async function mixedDay(): Promise<Row[]> {
  const rows: Row[] = [];
  for (const kind of ["PostgreSQL", "embedded"] as const) {
    rows.push(...(await onStage(kind, (stage) => day(kind, stage), TENANTS)));
  }
  return rows;
}

async function day(kind: DatabaseKind, stage: Stage): Promise<Row[]> {
  const workers: Worker[] = [];
  for (const [i, tenant] of stage.tenants.entries()) workers.push(await workerOf(stage, tenant, i));
  const begins = [];
  for (const attack of attacks) begins.push(await attack.prepare(stage));
  const hostile = (async () => {
    const each = (HOURS * HOUR_MS) / begins.length;
    for (const begin of begins) {
      const end = await begin();
      await passed(each);
      await end();
    }
  })();
  await Promise.all([hostile, ...workers.map((worker) => live(stage, worker))]);
  return await judged(kind, stage, workers);
}

async function workerOf({ mailboxes, receiver }: Stage, tenant: Tenant, i: number): Promise<Worker> {
  const user = `owner-${i}`;
  mailboxes.put(user, "first.ics", eventText("first", { lines: ["SUMMARY:first"] }));
  const holder = await connectMailbox(tenant, user, `127.0.4.${i + 1}`);
  const channelId = await openChannel(tenant, holder, `${receiver.origin}/hook`);
  return {
    tenant,
    hosted: await hostedCalendar(tenant, `day-${i}`),
    mailbox: { user, holder, channelId },
    expected: new Map(),
    changes: [],
    statuses: new Map(),
    random: lehmer(i + 1),
  };
}

async function live(stage: Stage, worker: Worker): Promise<void> {
  const began = performance.now();
  for (let hour = 0; hour < HOURS; hour += 1) {
    if (hour % 2 === 0) change(stage, worker, hour);
    const requests = BUSY[hour] ?? 1;
    for (let i = 0; i < requests; i += 1) {
      await act(worker, hour * 100 + i);
      await passed(Math.max(0, began + (hour + i / requests) * HOUR_MS - performance.now()));
    }
    await passed(Math.max(0, began + (hour + 1) * HOUR_MS - performance.now()));
  }
}

/** Somebody else changes the connected calendar. */
function change({ mailboxes }: Stage, { mailbox, changes }: Worker, hour: number): void {
  const summary = `theirs-${hour}`;
  mailboxes.put(mailbox.user, `${summary}.ics`, eventText(summary, { lines: [`SUMMARY:${summary}`] }));
  changes.push({ at: Date.now(), summary });
}

async function act(worker: Worker, n: number): Promise<void> {
  const { hosted, random, expected } = worker;
  const which = random();
  const known = [...expected.keys()];
  const some = known[Math.floor(random() * known.length)];
  if (which < 0.4 || some === undefined) return await store(worker, `event-${n}`, `written at ${n}`);
  if (which < 0.5) return await store(worker, `series-${n}`, `series of ${n}`, series);
  if (which < 0.65) return await store(worker, some, `rewritten at ${n}`, some.startsWith("series") ? series : {});
  if (which < 0.75) return await remove(worker, some);
  const reads = [`/v1/events?tzid=Etc/UTC&include_managed=true`, "/v1/free_busy?tzid=Etc/UTC", "/v1/calendars"];
  await ask(worker, hosted, "GET", reads[n % reads.length] ?? "");
}

const series = { tzid: "Etc/UTC", recurrence: { rules: [{ frequency: "weekly", count: 6 }] } };

async function store(worker: Worker, id: string, summary: string, more: object = {}): Promise<void> {
  const path = `/v1/calendars/${worker.hosted.calendarId}/events`;
  const status = await ask(worker, worker.hosted, "POST", path, eventBody(id, { summary, ...more }));
  if (status === 202) worker.expected.set(id, summary);
}

async function remove(worker: Worker, event_id: string): Promise<void> {
  const path = `/v1/calendars/${worker.hosted.calendarId}/events`;
  const status = await ask(worker, worker.hosted, "DELETE", path, JSON.stringify({ event_id }));
  if (status === 202) worker.expected.set(event_id, null);
}

/** Counts the status; 0 stands for no answer. */
async function ask({ tenant, statuses }: Worker, { token }: Holder, method: string, path: string, body?: string) {
  const headers = { authorization: `Bearer ${token}`, ...(body && { "content-type": "application/json" }) };
  const status = await fetch(tenant.origin + path, { method, headers, body }).then(
    async (response) => {
      await response.arrayBuffer();
      return response.status;
    },
    () => 0,
  );
  statuses.set(status, (statuses.get(status) ?? 0) + 1);
  return status;
}

async function judged(kind: DatabaseKind, { receiver }: Stage, workers: readonly Worker[]): Promise<Row[]> {
  const wrong: string[] = [];
  const unread: string[] = [];
  const unnotified: string[] = [];
  for (const worker of workers) {
    const { tenant, hosted, mailbox, expected, changes } = worker;
    const there = await summariesOf(tenant, hosted);
    for (const [id, summary] of expected) {
      if ((there.get(id) ?? null) !== summary) wrong.push(`${id} is ${there.get(id)}, was ${summary}`);
    }
    const isNotified = (at: number) =>
      receiver.notified().some((one) => one.at >= at && one.channelId === mailbox.channelId && one.type === "change");
    for (const { at, summary } of changes) {
      const what = `the notification of ${summary}`;
      await until(() => isNotified(at), { within: PATIENCE_MS, what }).catch(() => unnotified.push(what));
    }
    const seen = new Set((await summariesOf(tenant, mailbox.holder)).values());
    unread.push(...changes.filter(({ summary }) => !seen.has(summary)).map(({ summary }) => summary));
  }
  const total = workers.reduce((sum, { statuses }) => sum + [...statuses.values()].reduce((a, b) => a + b, 0), 0);
  const undue = workers.flatMap(({ statuses }) =>
    [...statuses.keys()].filter((status) => status !== 200 && status !== 202),
  );
  const writes = workers.reduce((sum, { expected }) => sum + expected.size, 0);
  const changes = workers.reduce((sum, worker) => sum + worker.changes.length, 0);
  const row = (what: string, found: readonly unknown[], of: number): Row => ({
    what: `a day of ten applications, ${kind}: ${what}`,
    measured: `${found.length} of ${of}${found.length > 0 ? `: ${found.slice(0, 3).join(", ")}` : ""}`,
    limit: "0",
    ok: found.length === 0 && of > 0,
  });
  return [
    row("answers of the other nine that are neither 200 nor 202", undue, total),
    row("their events that are not as they were last written", wrong, writes),
    row("changes of others that were not notified", unnotified, changes),
    row("changes of others that are not read", unread, changes),
  ];
}

/** Of every event that is not deleted; of the application's own by event_id. */
async function summariesOf({ origin }: Tenant, { token }: Holder): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  let next: string | undefined = `${origin}/v1/events?tzid=Etc/UTC&include_managed=true`;
  while (next) {
    const response: Response = await fetch(next.replace("localhost", "127.0.0.1"), {
      headers: { authorization: `Bearer ${token}` },
    });
    if (!response.ok) throw new Error(`reading: ${response.status}`);
    const { pages, events } = await response.json();
    for (const { event_id, event_uid, summary } of events) found.set(event_id ?? event_uid, summary);
    next = pages.next_page;
  }
  return found;
}

/** Numbers from 0 to 1 that are the same in every run. */
function lehmer(seed: number): () => number {
  let state = (seed * 48_271) % 2_147_483_647;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}
