import { eventText } from "@/tests/faults/neighbours/mailboxes";
import { type DatabaseKind, inSurroundings, type Surroundings } from "@/tests/faults/neighbours/stage";
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
import { signInFrom } from "@/tests/rig/sign-in";
import { until } from "@/tests/rig/until";

const OWNER = "ada";
const SINGLES = 20;
const WRITES = 3;
const SOON_MS = 30_000;
/** Longer than the waits after a first and a second attempt. */
const RETRIED_MS = 120_000;

interface Before {
  hosted: Holder;
  connected: Holder;
  /** The channel whose receiver takes notifications, and the one whose receiver is down. */
  channels: { taking: string; down: string };
  events: { hosted: string; connected: string };
}

/**
 * An older version, built in the folder that UPGRADE_FROM names, works for a while and is killed with writes and notifications on their way. This version
 * starts on its database: what was there is read the same, and what was on its way arrives.
 */
export async function upgrade(): Promise<Row[]> {
  const older = process.env.UPGRADE_FROM;
  if (!older) throw new Error("UPGRADE_FROM names the folder with the build of an older version");
  const rows: Row[] = [];
  for (const kind of ["PostgreSQL", "embedded"] as const) {
    rows.push(...(await inSurroundings(kind, 1, (around) => upgraded(kind, around, older))));
  }
  return rows;
}

async function upgraded(kind: DatabaseKind, around: Surroundings, older: string): Promise<Row[]> {
  const before = await during(await launch(around.env, { folder: older }), (origin) =>
    work(around, tenantAt(around, origin)),
  );
  return during(await launch(around.env), (origin) =>
    judged(kind, around, { tenant: tenantAt(around, origin), before }),
  );
}

/** Lets something be done with a service, then kills it. */
async function during<T>(service: Service, use: (origin: string) => Promise<T>): Promise<T> {
  try {
    return await use(await service.ready());
  } catch (error) {
    process.stderr.write(service.complaints().slice(-2_000));
    throw error;
  } finally {
    await service.end("SIGKILL");
  }
}

function tenantAt({ tenantsAt }: Surroundings, origin: string): Tenant {
  const [tenant] = tenantsAt(origin);
  if (!tenant) throw new Error("an application is needed");
  return tenant;
}

/** Accounts, events, series, channels and a connected mailbox; in the end the mailbox's server hangs and a receiver is down. */
async function work({ mailboxes, receiver }: Surroundings, tenant: Tenant): Promise<Before> {
  mailboxes.put(OWNER, "theirs.ics", eventText("theirs", { lines: ["SUMMARY:theirs"] }));
  mailboxes.put(OWNER, "weekly.ics", eventText("weekly", { lines: ["SUMMARY:weekly", "RRULE:FREQ=WEEKLY;COUNT=5"] }));
  const connected = await connectMailbox(tenant, OWNER);
  const hosted = await hostedCalendar(tenant, "team");
  for (let i = 0; i < SINGLES; i += 1) await write(tenant, hosted, eventBody(`single-${i}`, {}, 24 + i));
  const recurrence = { rules: [{ frequency: "weekly", count: 6 }] };
  await write(tenant, hosted, eventBody("series", { summary: "Retro", tzid: "Europe/Berlin", recurrence }));
  await write(tenant, connected, eventBody("sent", { summary: "sent" }));
  await until(() => sent(mailboxes.texts(OWNER), "sent") === 1, { within: SOON_MS, what: "a write at the mailbox" });
  await until(async () => (await read(tenant, connected)).includes('"weekly"'), { within: SOON_MS, what: "the sync" });
  const taking = await openChannel(tenant, connected, `${receiver.origin}/hook`);
  const down = await openChannel(tenant, connected, `${receiver.origin}/down`);
  mailboxes.treat([OWNER], "hanging");
  for (let i = 0; i < WRITES; i += 1)
    await write(tenant, connected, eventBody(`queued-${i}`, { summary: `queued-${i}` }));
  const events = { hosted: await read(tenant, hosted), connected: await read(tenant, connected) };
  return { hosted, connected, channels: { taking, down }, events };
}

async function judged(
  kind: DatabaseKind,
  { mailboxes, receiver, operator }: Surroundings,
  { tenant, before }: { tenant: Tenant; before: Before },
): Promise<Row[]> {
  const { hosted, connected, channels, events } = before;
  const row = (what: string, measured: string, ok: boolean, limit: string): Row => ({
    ...{ what: `upgrade, ${kind}: ${what}`, measured, limit, ok },
  });
  const after = { hosted: await read(tenant, hosted), connected: await read(tenant, connected) };
  const isSame = after.hosted === events.hosted && after.connected === events.connected;
  const count = [after.hosted, after.connected].map((text) => JSON.parse(text).length);
  mailboxes.treat([OWNER], "proper");
  receiver.up();
  const arrived = async (what: string, is: () => boolean | Promise<boolean>, within: number): Promise<Row> => {
    const came = await until(is, { within, what }).then(
      () => true,
      () => false,
    );
    return row(what, came ? "yes" : `not within ${within / 1000} s`, came, "yes");
  };
  const all = () => Array.from({ length: WRITES }, (_, i) => sent(mailboxes.texts(OWNER), `queued-${i}`));
  const rows = [
    row("events read as before", isSame ? `all ${count.join(" and ")}` : "they differ", isSame, "all"),
    await arrived("queued writes are at the provider", () => all().every((times) => times > 0), RETRIED_MS),
    await arrived(
      "a notification that had failed is delivered",
      () => receiver.notified().some(({ channelId }) => channelId === channels.down),
      RETRIED_MS,
    ),
  ];
  mailboxes.put(OWNER, "new.ics", eventText("new", { lines: ["SUMMARY:new"] }));
  rows.push(
    await arrived(
      "a change at the provider is notified",
      () => receiver.notified().some(({ channelId, type }) => channelId === channels.taking && type === "change"),
      SOON_MS,
    ),
    await arrived("and read", async () => (await read(tenant, connected)).includes('"new"'), SOON_MS),
    row(
      "each queued write is at the provider once",
      all().join(", "),
      all().every((times) => times === 1),
      "1 each",
    ),
  );
  const { status } = await signInFrom("127.0.0.1", tenant.origin, operator);
  rows.push(row("the operator signs in", String(status), status === 303, "303"));
  return rows;
}

/** How many events of the mailbox have this summary. */
function sent(texts: readonly string[], summary: string): number {
  return texts.filter((text) => text.includes(`SUMMARY:${summary}\r\n`)).length;
}

/** The events of an account as JSON. */
async function read({ origin }: Tenant, { token }: Holder): Promise<string> {
  const address = `${origin}/v1/events?tzid=Etc/UTC&include_managed=true`;
  const response = await fetch(address, { headers: { authorization: `Bearer ${token}` } });
  if (response.status !== 200) throw new Error(`reading events: ${response.status}`);
  const { events } = await response.json();
  return JSON.stringify(events);
}
