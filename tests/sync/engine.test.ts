import { expect, it, onTestFinished } from "vitest";
import { db } from "@/server/db/client";
import { caldavConnector } from "@/server/providers/caldav/connector";
import type { Connector, PasswordConnector } from "@/server/providers/connector";
import { syncs } from "@/server/sync/syncs";
import { fakeClock } from "../fakes/clock";
import { startICloudFront } from "../fakes/icloud-front";
import { otherClient } from "../fakes/other-client";
import {
  addMailboxes,
  changeSync,
  setConnected,
  setSyncDue,
  storedCalendars,
  storedSync,
  storedSyncs,
} from "../fakes/stored";
import { scene } from "./scene";
import { connectPerson, ours, type Person, POLL_MS, vevent } from "./world";

const made = scene();

async function slowFront() {
  const front = await startICloudFront(made.radicale.url);
  onTestFinished(() => front.close());
  const place = { url: front.url, origins: [new URL(front.home).origin] };
  return { front, place, connector: caldavConnector({ entry: front.url, origins: place.origins, deadlineMs: 20_000 }) };
}

/** What a front can wait with its answers for. */
function gate() {
  let open = () => {};
  const until = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { until, open };
}

/** As a process of its own has it. */
function engine(connectors: Record<string, Connector>) {
  const crew = syncs({ db, connectorOf: (name) => connectors[name] ?? null, pollMs: POLL_MS });
  onTestFinished(() => crew.stop());
  return crew;
}

/** More profiles like the person's, at a provider, that are due now. */
async function more(
  person: Person,
  provider: "google",
  { count, connector }: { count: number; connector: PasswordConnector },
) {
  const { credential } = await connector.signIn.verify({
    username: made.radicale.user,
    password: made.radicale.password,
  });
  const syncDueAt = new Date(Date.now() - 60_000);
  const ids = await addMailboxes(person.profileId, { provider, count, credential, syncDueAt });
  onTestFinished(async () => {
    await setConnected(ids, false);
  });
  return ids;
}

it("a provider that is slow does not delay another's sync", async () => {
  await made.radicale.makeCalendar("Quick");
  const person = await connectPerson(made.radicale, made.radicale);
  const { front, connector: slow } = await slowFront();
  await more(person, "google", { count: 25, connector: slow });
  const { until, open } = gate();
  front.behaviour.until = until;
  const both = engine({ google: slow, icloud: person.connector });
  const drained = both.drain(60_000);
  await expect.poll(async () => (await person.profile()).initial_sync_required, { timeout: 40_000 }).toBe(false);
  expect(await storedSyncs({ provider: "google", lastSyncAt: { not: null } })).toEqual([]);
  expect(front.mostAtOnce()).toBeLessThanOrEqual(10);
  const stopped = both.stop();
  open();
  await stopped;
  await drained;
});

it("two processes sync each profile once", async () => {
  await made.radicale.makeCalendar("Once");
  const person = await connectPerson(made.radicale, made.radicale);
  await person.sync();
  const { front, connector } = await slowFront();
  const ids = await more(person, "google", { count: 12, connector });
  front.behaviour.slowness = 50;
  front.asked.length = 0;
  const home = `/${encodeURIComponent(made.radicale.user)}/`;
  await Promise.all([engine({ google: connector }).drain(60_000), engine({ google: connector }).drain(60_000)]);
  const listings = front.asked.filter(({ method, path }) => method === "PROPFIND" && path === home);
  expect(listings).toHaveLength(ids.length);
  const late = [{ lastSyncAt: null }, { syncLease: { not: null } }, { syncDueAt: { lt: new Date() } }];
  expect(await storedSyncs({ profileId: { in: ids }, OR: late })).toEqual([]);
});

it("a process that lost its claim stores neither place nor outcome", async () => {
  const { front, place } = await slowFront();
  const person = await connectPerson(place, made.radicale);
  const { until, open } = gate();
  front.behaviour.until = until;
  const syncing = person.sync();
  await expect.poll(async () => await leaseOf(person)).not.toBe(null);
  await changeSync(person.profileId, { syncLease: "another" });
  open();
  await syncing;
  expect(await leaseOf(person)).toBe("another");
  const calendars = await storedCalendars(person.accountId);
  expect(calendars.filter(({ syncToken }) => syncToken !== null)).toEqual([]);
  await changeSync(person.profileId, { syncLease: null, syncLeasedUntil: null });
});

it("a process that died leaves its claim to the next after the lease, and does not loop", async () => {
  await made.radicale.makeCalendar("Survives");
  const person = await connectPerson(made.radicale, made.radicale);
  const clock = fakeClock();
  const [now, leasedUntil] = [clock.now(), clock.now() + 3_000].map((at) => new Date(at));
  const claim = { syncLease: "dead", syncLeasedUntil: leasedUntil };
  await changeSync(person.profileId, { ...claim, syncFailures: 1, syncDueAt: now });
  await person.syncing.drain(60_000);
  expect(await leaseOf(person)).toBe("dead");
  clock.advance(3_001);
  await person.syncing.drain(60_000);
  expect(await leaseOf(person)).toBe(null);
  expect(await person.profile()).toMatchObject({ initial_sync_required: false, sync_failures: 0 });
});

it("a profile that somebody asks for while it is synced is synced once more at once", async () => {
  const { front, place } = await slowFront();
  const person = await connectPerson(place, made.radicale);
  const clock = fakeClock();
  const { until, open } = gate();
  front.behaviour.until = until;
  front.asked.length = 0;
  const syncing = person.sync();
  await expect.poll(async () => await leaseOf(person)).not.toBe(null);
  await setSyncDue(person.profileId, new Date(clock.now()));
  open();
  await syncing;
  const home = `/${encodeURIComponent(made.radicale.user)}/`;
  expect(front.asked.filter(({ method, path }) => method === "PROPFIND" && path === home)).toHaveLength(2);
  expect((await person.profile()).due_in).toBeGreaterThan(50);
});

it("a process that ends lets go of what it has not finished, for others to go on at once", async () => {
  const { front, place } = await slowFront();
  const other = otherClient(await made.radicale.makeCalendar("Long"), made.radicale);
  for (let n = 0; n < 3; n += 1) await other.create(`event-${n}`, vevent(`event-${n}`));
  const person = await connectPerson(place, made.radicale);
  const { until, open } = gate();
  front.behaviour.until = until;
  const syncing = person.sync();
  await expect.poll(async () => await leaseOf(person)).not.toBe(null);
  const stopped = person.syncing.stop();
  open();
  await stopped;
  await syncing;
  const { due_in, ...profile } = await person.profile();
  expect(profile).toMatchObject({ initial_sync_required: true, sync_failures: 0 });
  expect(due_in).toBeLessThanOrEqual(0);
  expect(await leaseOf(person)).toBe(null);
});

it("of one profile no more than four events are pushed at once, and all come there", async () => {
  const { front, place } = await slowFront();
  const other = otherClient(await made.radicale.makeCalendar("Many"), made.radicale);
  const person = await connectPerson(place, made.radicale);
  await person.sync();
  const calendarId = await person.calendarId("Many");
  for (let n = 0; n < 12; n += 1) await person.post(`/v1/calendars/${calendarId}/events`, ours(`event-${n}`));
  const { until, open } = gate();
  front.behaviour.until = until;
  front.asked.length = 0;
  const pushed = person.push();
  await expect.poll(() => front.mostAtOnce()).toBe(4);
  front.behaviour.slowness = 50;
  open();
  await pushed;
  expect(front.mostAtOnce()).toBe(4);
  expect(await other.list()).toHaveLength(12);
});

async function leaseOf({ profileId }: Person): Promise<string | null> {
  return (await storedSync(profileId)).syncLease;
}
