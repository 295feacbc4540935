import { type Receiver, startReceiver } from "@/tests/fakes/receiver";
import { eventText } from "@/tests/faults/neighbours/mailboxes";
import { inSurroundings, type Surroundings } from "@/tests/faults/neighbours/stage";
import {
  connectMailbox,
  eventBody,
  type Holder,
  hostedCalendar,
  openChannel,
  type Tenant,
  write,
} from "@/tests/faults/neighbours/tenants";
import type { Row } from "@/tests/rig/results";
import { launch, type Service } from "@/tests/rig/service";
import { until } from "@/tests/rig/until";

const OWNER = "ada";
const ROUNDS = 30;
const SOON_MS = 60_000;

interface Versions {
  older: Tenant;
  newer: Tenant;
}

interface Load {
  hosted: Holder;
  connected: Holder;
  channels: { hosted: string; connected: string };
}

/**
 * An older version, built in the folder that UPGRADE_FROM names, and this one work on one PostgreSQL at once, as in a rolling upgrade: each writes
 * events that the other replaces, and both sync, push and deliver. Then the older one ends, and starts once more on what the newer one left.
 */
export async function sideBySide(): Promise<Row[]> {
  const folder = process.env.UPGRADE_FROM;
  if (!folder) throw new Error("UPGRADE_FROM names the folder with the build of an older version");
  const receiver = await startReceiver();
  try {
    return await inSurroundings("PostgreSQL", 1, (around) => together(around, { receiver, folder }));
  } finally {
    await receiver.close();
  }
}

async function together(
  { env, tenantsAt, mailboxes }: Surroundings,
  { receiver, folder }: { receiver: Receiver; folder: string },
): Promise<Row[]> {
  const given = { ...env, CALLBACK_ALLOWED_ORIGINS: receiver.origin };
  const services: Service[] = [];
  const begin = async (from?: string) => {
    const service = await launch(given, { folder: from });
    services.push(service);
    const [tenant] = tenantsAt(await service.ready());
    if (!tenant) throw new Error("an application is needed");
    return { service, tenant };
  };
  try {
    const first = await begin(folder);
    const load = await prepare(first.tenant, { mailboxes, receiver });
    const second = await begin();
    const versions = { older: first.tenant, newer: second.tenant };
    for (let i = 0; i < ROUNDS; i++) await round(i, versions, { load, mailboxes });
    const rows = await judged(versions, { load, mailboxes, receiver });
    await first.service.end();
    const back = await begin(folder);
    await write(back.tenant, load.hosted, eventBody("last", { summary: "last" }, 24 * 9));
    const last = await read(second.tenant, load.hosted);
    const errors = services.map((service) => service.complaints()).filter((text) => text !== "");
    return [
      ...rows,
      row("the older version starts again on the newer database, and is read", "yes", last.includes('"last"'), "yes"),
      row("errors in the logs", errors.join(" ") || "none", errors.length === 0, "none"),
    ];
  } finally {
    for (const service of services) await service.end("SIGKILL");
  }
}

async function prepare(
  tenant: Tenant,
  { mailboxes, receiver }: Pick<Surroundings, "mailboxes"> & { receiver: Receiver },
): Promise<Load> {
  mailboxes.put(OWNER, "theirs.ics", eventText("theirs", { lines: ["SUMMARY:theirs"] }));
  const connected = await connectMailbox(tenant, OWNER);
  const hosted = await hostedCalendar(tenant, "team");
  const channels = {
    hosted: await openChannel(tenant, hosted, receiver.url("/hosted")),
    connected: await openChannel(tenant, connected, receiver.url("/connected")),
  };
  await until(async () => (await read(tenant, connected)).includes('"theirs"'), { within: SOON_MS, what: "the sync" });
  return { hosted, connected, channels };
}

/** One version writes, the other replaces what was written, and others change a calendar at the provider and in the sandbox. */
async function round(i: number, { older, newer }: Versions, { load, mailboxes }: Around): Promise<void> {
  const [one, other] = i % 2 === 0 ? [older, newer] : [newer, older];
  await write(one, load.hosted, eventBody(`hosted-${i}`, { summary: "first" }, 24 + i));
  await write(other, load.hosted, eventBody(`hosted-${i}`, { summary: `second-${i}` }, 24 + i));
  await write(one, load.connected, eventBody(`sent-${i}`, { summary: `sent-${i}` }, 24 + i));
  mailboxes.put(OWNER, `new-${i}.ics`, eventText(`new-${i}`, { lines: [`SUMMARY:new-${i}`] }));
  const times = { start: "2026-12-01T10:00:00Z", end: "2026-12-01T11:00:00Z", tzid: "Etc/UTC" };
  const event = { summary: `theirs-${i}`, ...times };
  const response = await fetch(`${other.origin}/v1/sandbox/changes`, {
    method: "POST",
    headers: { authorization: `Bearer ${load.hosted.token}`, "content-type": "application/json" },
    body: JSON.stringify({ type: "event_created", calendar_id: load.hosted.calendarId, event }),
  });
  if (response.status !== 202) throw new Error(`the sandbox: ${response.status} ${await response.text()}`);
}

interface Around extends Pick<Surroundings, "mailboxes"> {
  load: Load;
}

async function judged(
  { older, newer }: Versions,
  { load, mailboxes, receiver }: Around & { receiver: Receiver },
): Promise<Row[]> {
  const rounds = Array.from({ length: ROUNDS }, (_, i) => i);
  const sent = () => rounds.map((i) => times(mailboxes.texts(OWNER), `SUMMARY:sent-${i}\r\n`));
  await until(() => sent().every((count) => count > 0), { within: SOON_MS, what: "every write at the provider" });
  const pulled = async () => {
    const text = await read(newer, load.connected);
    return rounds.every((i) => text.includes(`"new-${i}"`));
  };
  await until(pulled, { within: SOON_MS, what: "every change of the provider" });
  const changes = (channel: string) =>
    receiver.got.filter(({ json }) => json.channel.channel_id === channel && json.notification.type === "change");
  const { hosted, connected } = load.channels;
  await until(() => changes(hosted).length > 0 && changes(connected).length > 0, { within: SOON_MS, what: "changes" });
  const same = await Promise.all(
    [load.hosted, load.connected].map(async (holder) => (await read(older, holder)) === (await read(newer, holder))),
  );
  const texts = await read(older, load.hosted);
  const replaced = rounds.filter((i) => texts.includes(`"second-${i}"`)).length;
  const made = rounds.filter((i) => texts.includes(`"theirs-${i}"`)).length;
  const ids = receiver.got.map(({ headers }) => String(headers["svc-delivery-id"]));
  const doubled = ids.length - new Set(ids).size;
  return [
    row("both versions read the same", same.join(", "), same.every(Boolean), "true, true"),
    row("events that one wrote and the other replaced", `${replaced} of ${ROUNDS}`, replaced === ROUNDS, "all"),
    row("changes by others", `${made} of ${ROUNDS}`, made === ROUNDS, "all"),
    row(
      "writes at the provider, times",
      [...new Set(sent())].join(", "),
      sent().every((count) => count === 1),
      "1",
    ),
    row("notifications delivered twice", `${doubled} of ${ids.length}`, doubled === 0, "0"),
  ];
}

function row(what: string, measured: string, ok: boolean, limit: string): Row {
  return { what: `two versions side by side: ${what}`, measured, limit, ok };
}

function times(texts: readonly string[], part: string): number {
  return texts.filter((text) => text.includes(part)).length;
}

/** The events of an account as JSON. */
async function read({ origin }: Tenant, { token }: Holder): Promise<string> {
  const headers = { authorization: `Bearer ${token}` };
  const pages: string[] = [];
  for (let url: string | null = `${origin}/v1/events?tzid=Etc/UTC&include_managed=true`; url !== null; ) {
    const response: Response = await fetch(url, { headers });
    if (response.status !== 200) throw new Error(`reading events: ${response.status}`);
    const { events, pages: found } = await response.json();
    pages.push(JSON.stringify(events));
    const next: string | undefined = found?.next_page;
    url = next ? origin + new URL(next).pathname + new URL(next).search : null;
  }
  return pages.join("");
}
