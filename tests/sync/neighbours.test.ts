import { expect, it, onTestFinished } from "vitest";
import { db } from "@/server/db/client";
import { unseal } from "@/server/db/sealed";
import { caldavConnector } from "@/server/providers/caldav/connector";
import { pushes } from "@/server/sync/pushes";
import { syncs } from "@/server/sync/syncs";
import { fakeClock } from "../fakes/clock";
import { startICloudFront } from "../fakes/icloud-front";
import { otherClient } from "../fakes/other-client";
import { addMailboxes, setConnected, setSyncDue, storedProfile, storedSyncs } from "../fakes/stored";
import { spreadWrites, storedWrites } from "../fakes/stored-writes";
import { scene } from "./scene";
import { connectPerson, ours, type Person, POLL_MS } from "./world";

const made = scene();

/** Half of the slots of first syncs are a provider's, and of those two are left to other applications. */
const FIRST_AT_ONCE = 4;

/** Calendar servers that answer when `open` is called, of the same provider as those that answer at once. */
async function hangingServer() {
  const front = await startICloudFront(made.radicale.url);
  const origins = [new URL(front.url).origin, new URL(front.home).origin];
  const connector = caldavConnector({ entry: made.radicale.url, origins, deadlineMs: 60_000 });
  const place = { url: front.url, origins };
  const person = await connectPerson(place, made.radicale);
  let open = () => {};
  const hang = () => {
    front.behaviour.until = new Promise<void>((resolve) => {
      open = resolve;
    });
  };
  onTestFinished(async () => {
    open();
    await front.close();
  });
  return { front, connector, person, hang, open: () => open() };
}

type Hanging = Awaited<ReturnType<typeof hangingServer>>;

/** As processes of their own have it. */
function engines({ connector }: Hanging, count: number) {
  const engine = { db, connectorOf: (name: string) => (name === "icloud" ? connector : null) };
  return Array.from({ length: count }, () => {
    const both = {
      syncing: syncs({ ...engine, pollMs: POLL_MS }),
      pushing: pushes({ ...engine }),
    };
    onTestFinished(async () => {
      await Promise.all([both.syncing.stop(), both.pushing.stop()]);
    });
    return both;
  });
}

/** More mailboxes of the person's application at the same server, which are due before all others. */
async function mailboxes(
  { person }: Pick<Hanging, "person">,
  count: number,
  initialSyncRequired = false,
): Promise<string[]> {
  const sealed = (await storedProfile(person.profileId)).credential ?? "";
  const credential = unseal(sealed, { table: "profiles", column: "credential", row: person.profileId });
  const syncDueAt = new Date(Date.now() - 3_600_000);
  const ids = await addMailboxes(person.profileId, { count, credential, syncDueAt, initialSyncRequired });
  onTestFinished(async () => {
    await setConnected(ids, false);
  });
  return ids;
}

const heldSyncs = async ({ person }: Hanging): Promise<number> =>
  (await storedSyncs({ profile: { accountId: person.accountId }, syncLease: { not: null } })).length;

const heldWrites = async ({ person }: Hanging): Promise<number> =>
  (await storedWrites(person.accountId)).filter(({ lease }) => lease !== null).length;

it.each([1, 2])(
  "forty mailboxes of one application that hang do not delay another's sync, with %i processes",
  async (count) => {
    await made.radicale.makeCalendar(`Reading ${count}`);
    const hanging = await hangingServer();
    await hanging.person.sync();
    await mailboxes(hanging, 40);
    const processes = engines(hanging, count);
    hanging.hang();
    const drained = processes.map(({ syncing }) => syncing.drain(60_000));
    await expect.poll(() => heldSyncs(hanging)).toBe(8 * count);
    const person = await connectPerson(made.radicale, made.radicale);
    await Promise.all(processes.map(({ syncing }) => syncing.drain(0)));
    await expect.poll(async () => (await person.profile()).initial_sync_required).toBe(false);
    expect(await heldSyncs(hanging)).toBe(8 * count);
    const stopped = Promise.all(processes.map(({ syncing }) => syncing.stop()));
    hanging.open();
    await stopped;
    await Promise.all(drained);
  },
);

it("forty first syncs that hang delay neither the polls of other mailboxes nor their pushes", async () => {
  const other = otherClient(await made.radicale.makeCalendar("Lane"), made.radicale);
  const person = await connectPerson(made.radicale, made.radicale);
  await person.sync();
  const polled = await mailboxes({ person }, 30);
  const hanging = await hangingServer();
  await hanging.person.sync();
  const isNew = true;
  const ids = await mailboxes(hanging, 40, isNew);
  const [crew] = engines(hanging, 1);
  hanging.hang();
  const drained = crew?.syncing.drain(60_000);
  await expect.poll(() => heldSyncs(hanging)).toBe(FIRST_AT_ONCE);
  const unread = () =>
    storedSyncs({ profileId: { in: polled }, OR: [{ lastSyncAt: null }, { syncLease: { not: null } }] });
  await expect.poll(unread).toEqual([]);
  await write(person, "Lane", "quick");
  await crew?.pushing.drain(0);
  await expect.poll(async () => await other.list()).toHaveLength(1);
  expect(await heldSyncs(hanging)).toBe(FIRST_AT_ONCE);
  const stopped = crew?.syncing.stop();
  hanging.open();
  await stopped;
  await drained;
  expect(await storedSyncs({ profileId: { in: ids }, syncSlow: true })).toEqual([]);
});

it("writes of one application to servers that hang do not delay another's", async () => {
  const other = otherClient(await made.radicale.makeCalendar("Writing"), made.radicale);
  const person = await connectPerson(made.radicale, made.radicale);
  await person.sync();
  const hanging = await hangingServer();
  await hanging.person.sync();
  await spread(hanging, { events: 12, profiles: await mailboxes(hanging, 6) });
  const processes = engines(hanging, 1);
  hanging.hang();
  const drained = processes.map(({ pushing }) => pushing.drain(60_000));
  await expect.poll(() => heldWrites(hanging)).toBe(8);
  await write(person, "Writing", "quick");
  await Promise.all(processes.map(({ pushing }) => pushing.drain(0)));
  await expect.poll(async () => await other.list()).toHaveLength(1);
  expect(await heldWrites(hanging)).toBe(8);
  hanging.open();
  await Promise.all(drained);
});

it("mailboxes that were slow have few places, until they behave", async () => {
  const clock = fakeClock();
  await made.radicale.makeCalendar("Slow");
  const hanging = await hangingServer();
  const { profileId } = hanging.person;
  await hanging.person.sync();
  const ids = [profileId, ...(await mailboxes(hanging, 4))];
  const slowOnes = async () => (await storedSyncs({ profileId: { in: ids }, syncSlow: true })).length;
  const dueAgain = () => setSyncDue(ids, new Date(clock.now() - 3_600_000));
  const [process] = engines(hanging, 1);
  const round = async (underWay: number, passes: number) => {
    await dueAgain();
    hanging.hang();
    const drained = process?.syncing.drain(60_000);
    await expect.poll(() => heldSyncs(hanging)).toBe(underWay);
    // All that were claimed begin together, before the first request of any: what passes from here on is their own time.
    await expect.poll(() => hanging.front.unanswered()).toBeGreaterThan(0);
    clock.advance(passes);
    hanging.open();
    hanging.front.behaviour.until = Promise.resolve();
    await drained;
  };
  await round(5, 6_000);
  expect(await slowOnes()).toBe(5);
  const quick = await mailboxes(hanging, 3);
  await dueAgain();
  hanging.hang();
  const drained = process?.syncing.drain(60_000);
  await expect.poll(() => heldSyncs(hanging)).toBe(3 + quick.length);
  hanging.open();
  hanging.front.behaviour.until = Promise.resolve();
  await drained;
  expect(await slowOnes()).toBe(0);
  await setConnected(quick, false);
  await round(5, 0);
});

async function write(person: Person, calendar: string, eventId: string): Promise<void> {
  const answer = await person.post(`/v1/calendars/${await person.calendarId(calendar)}/events`, ours(eventId));
  if (answer.status !== 202) throw new Error(`an event was not written: ${answer.status}`);
}

/** Events that the application wrote, as if each of the profiles had some of them. */
async function spread({ person }: Hanging, { events, profiles }: { events: number; profiles: readonly string[] }) {
  for (let n = 0; n < events; n += 1) await write(person, "Writing", `hanging-${n}`);
  await spreadWrites(person.accountId, profiles);
}
