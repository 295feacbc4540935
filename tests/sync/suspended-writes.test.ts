import { expect, it, onTestFinished } from "vitest";
import { db } from "@/server/db/client";
import { revokeAccount } from "@/server/store/accounts/revoke-account";
import { disconnectProfile } from "@/server/store/profiles/connection-state";
import { claimWrites, nextWriteIn } from "@/server/sync/claim-writes";
import { resumeGivenUpWrites } from "@/server/sync/retry-writes";
import { startFront } from "../fakes/forward";
import { openSlots } from "../fakes/open-slots";
import { otherClient } from "../fakes/other-client";
import { setConnected } from "../fakes/stored";
import { changeWrites, refuseWrites, storedWrites } from "../fakes/stored-writes";
import { scene } from "./scene";
import { connectPerson, ours } from "./world";

/** What waits for the provider of a disconnected profile waits apart until the person connects again. */
const made = scene();
const HOUR_MS = 3_600_000;

/** A person whose calendar is synced. `told` is what was written to the server, in order. */
async function personAt(calendar: string) {
  const other = otherClient(await made.radicale.makeCalendar(calendar), made.radicale);
  const told: (string | undefined)[] = [];
  const front = await startFront(
    () => Number(new URL(made.radicale.url).port),
    async (asked, handOn) => {
      if (asked.method === "PUT") told.push(/SUMMARY:Ours (.*?)\r/.exec(asked.body.toString())?.[1]);
      return await handOn();
    },
  );
  onTestFinished(() => front.close());
  const person = await connectPerson(
    { url: `http://127.0.0.1:${front.port}${new URL(made.radicale.url).pathname}` },
    made.radicale,
  );
  await person.sync();
  const calendarId = await person.calendarId(calendar);
  const write = async (eventId: string, more: object = {}) => {
    const answer = await person.post(`/v1/calendars/${calendarId}/events`, ours(eventId, more));
    if (answer.status !== 202) throw new Error(answer.text);
  };
  const waiting = async () => {
    const writes = await storedWrites(person.profileId);
    return writes.map(({ suspended, attempts, isDue }) => ({ suspended, attempts, is_due: isDue }));
  };
  return { other, person, write, waiting, told };
}

/** The events whose writes are claimed, one after another; all are let go again. */
async function claimOrder(profileId: string): Promise<string[]> {
  const order: string[] = [];
  for (;;) {
    const [next] = await claimWrites(db(), [openSlots("icloud", 1)]);
    if (!next) break;
    const event = await db().prisma.event.findFirst({ where: { id: next.eventRow, calendarId: next.calendarId } });
    order.push(event?.eventId ?? "");
  }
  await changeWrites(profileId, { lease: null, leasedUntil: null });
  return order;
}

it("writes of before and since are suspended, no claim sees them, and all go in their order once the person is there again", async () => {
  const { other, person, write, waiting, told } = await personAt("Parked");
  await write("third", { summary: "Ours old words" });
  await write("first");
  // It failed before, and was to wait for long; the other is being written again.
  const failed = { attempts: 7, lastError: "credentials_rejected", dueAt: new Date(Date.now() + 1_200_000) };
  await changeWrites(person.profileId, failed);
  expect(await disconnectProfile(db(), person.profileId)).toBe(true);
  await write("second");
  await write("third");
  const suspended = { suspended: true, attempts: 0, is_due: true };
  expect(await waiting()).toEqual([suspended, { suspended: true, attempts: 7, is_due: false }, suspended]);

  // Only the mark keeps them back: they are there for no claim, whatever else is true of the profile.
  await setConnected(person.profileId, true);
  expect(await claimWrites(db(), [openSlots("icloud", 10)])).toEqual([]);
  expect(await nextWriteIn(db(), ["icloud"])).toBe(null);
  await setConnected(person.profileId, false);

  await person.connectAgain(made.radicale);
  const free = { suspended: false, attempts: 0, is_due: true };
  expect(await waiting()).toEqual([free, free, free]);
  expect(await claimOrder(person.profileId)).toEqual(["first", "second", "third"]);

  await person.push();
  expect(told.sort()).toEqual(["first", "second", "third"]);
  expect((await other.list()).map(({ ics }) => /SUMMARY:(.*)/.exec(ics)?.[1]).sort()).toEqual([
    "Ours first",
    "Ours second",
    "Ours third",
  ]);
  expect(await waiting()).toEqual([]);
  await person.sync();
  await write("first", { summary: "Ours again" });
  expect(await waiting()).toEqual([free]);
});

it("what a provider asked to be given time for, and what was refused, is so still when the person is there again", async () => {
  const { person, write, waiting } = await personAt("Times");
  await write("throttled");
  await write("refused");
  const dueAt = new Date(Date.now() + HOUR_MS);
  await changeWrites(person.profileId, { lastError: "throttled", dueAt });
  await refuseWrites(person.profileId, "http_403", { eventId: "refused", attempts: 1 });
  await disconnectProfile(db(), person.profileId);
  expect((await waiting()).map(({ suspended }) => suspended)).toEqual([true, true]);
  await person.connectAgain(made.radicale);
  expect(await waiting()).toEqual([
    { suspended: false, attempts: 0, is_due: false },
    { suspended: false, attempts: 1, is_due: true },
  ]);
  expect(await claimWrites(db(), [openSlots("icloud", 10)])).toEqual([]);
});

it("they go by themselves when the person is there again and nobody let them go", async () => {
  const { person, write, waiting, told } = await personAt("Left suspended");
  for (const eventId of ["throttled", "refused", "given-up", "second", "first"]) await write(eventId);
  const { profileId } = person;
  const later = (ms: number) => new Date(Date.now() + ms);
  await changeWrites(profileId, { lastError: "throttled", dueAt: later(HOUR_MS) }, "throttled");
  await refuseWrites(profileId, "http_403", { eventId: "refused", attempts: 1 });
  await refuseWrites(profileId, "down", { eventId: "given-up", refusedAt: later(48 * HOUR_MS), attempts: 9 });
  const failed = { attempts: 7, lastError: "credentials_rejected", dueAt: later(HOUR_MS / 3) };
  await changeWrites(profileId, failed, "second");
  await changeWrites(profileId, { createdAt: later(-72 * HOUR_MS) }, "first");
  await disconnectProfile(db(), person.profileId);
  expect((await waiting()).map(({ suspended }) => suspended)).toEqual([true, true, true, true, true]);

  // As a process does that knows no parking.
  await setConnected(person.profileId, true);
  await person.sync();
  const free = { suspended: false, attempts: 0, is_due: true };
  expect(await waiting()).toEqual([{ ...free, is_due: false }, { ...free, attempts: 1 }, free, free, free]);
  expect((await storedWrites(profileId)).filter(({ createdAt }) => createdAt < later(-HOUR_MS))).toEqual([]);
  const order = await claimOrder(person.profileId);
  expect(order.filter((eventId) => eventId !== "given-up")).toEqual(["first", "second"]);
  expect(order).toHaveLength(3);
  await person.push();
  expect(told.sort()).toEqual(["first", "given-up", "second", "throttled"]);
});

it("they stay suspended when a sync comes to its end after the profile was disconnected", async () => {
  const { person, write, waiting } = await personAt("Gone meanwhile");
  await write("suspended");
  await write("given-up");
  const refusedAt = new Date(Date.now() + 48 * HOUR_MS);
  await refuseWrites(person.profileId, "down", { eventId: "given-up", refusedAt });
  await disconnectProfile(db(), person.profileId);
  await resumeGivenUpWrites(db(), person.profileId);
  expect((await waiting()).map(({ suspended }) => suspended)).toEqual([true, true]);
});

it("a push that was under way when the profile was disconnected comes to its end", async () => {
  const { person, write, waiting } = await personAt("Under way");
  await write("begun");
  const [claimed] = await claimWrites(db(), [openSlots("icloud", 1)]);
  await disconnectProfile(db(), person.profileId);
  expect(await waiting()).toMatchObject([{ suspended: true }]);
  await person.connectAgain(made.radicale);
  expect(await claimWrites(db(), [openSlots("icloud", 1)])).toEqual([]);
  expect(await storedWrites(person.profileId)).toMatchObject([{ lease: claimed?.lease }]);
});

it("they go with the account that is revoked", async () => {
  const { person, write, waiting } = await personAt("Revoked");
  await write("never");
  await disconnectProfile(db(), person.profileId);
  expect(await waiting()).toMatchObject([{ suspended: true }]);
  await revokeAccount(db(), person.accountId, Date.now());
  expect(await waiting()).toEqual([]);
});
