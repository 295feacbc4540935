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
import { scene } from "./scene";
import { connectPerson, ours } from "./world";

/** What waits for the provider of a disconnected profile waits apart until the person connects again. */
const made = scene();

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
  const waiting = () =>
    db().query<{ suspended: boolean; attempts: number; is_due: boolean }>(
      "SELECT suspended, attempts, due_at <= clock_timestamp() AS is_due FROM provider_writes WHERE profile_id = $1 ORDER BY id",
      [person.profileId],
    );
  return { other, person, write, waiting, told };
}

/** The events whose writes are claimed, one after another; all are let go again. */
async function claimOrder(profileId: string): Promise<string[]> {
  const order: string[] = [];
  for (;;) {
    const [next] = await claimWrites(db(), [openSlots("icloud", 1)]);
    if (!next) break;
    const [event] = await db().query<{ event_id: string }>("SELECT event_id FROM events WHERE id = $1", [
      next.eventRow,
    ]);
    order.push(event?.event_id ?? "");
  }
  await db().query("UPDATE provider_writes SET lease = NULL, leased_until = NULL WHERE profile_id = $1", [profileId]);
  return order;
}

it("writes of before and since are suspended, no claim sees them, and all go in their order once the person is there again", async () => {
  const { other, person, write, waiting, told } = await personAt("Parked");
  await write("third", { summary: "Ours old words" });
  await write("first");
  // It failed before, and was to wait for long; the other is being written again.
  await db().query(
    "UPDATE provider_writes SET attempts = 7, last_error = 'credentials_rejected', due_at = clock_timestamp() + interval '20 minutes' WHERE profile_id = $1",
    [person.profileId],
  );
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
  await db().query(
    "UPDATE provider_writes SET last_error = 'throttled', due_at = clock_timestamp() + interval '1 hour' WHERE profile_id = $1",
    [person.profileId],
  );
  await db().query(
    "UPDATE provider_writes SET refused_at = clock_timestamp(), last_error = 'http_403', attempts = 1 WHERE id = (SELECT max(id) FROM provider_writes)",
  );
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
  const failed = (eventId: string, more: string) =>
    db().query(
      `UPDATE provider_writes w SET ${more} FROM events e WHERE e.id = w.event_row AND e.event_id = $2 AND w.profile_id = $1`,
      [person.profileId, eventId],
    );
  await failed("throttled", "last_error = 'throttled', due_at = clock_timestamp() + interval '1 hour'");
  await failed("refused", "refused_at = clock_timestamp(), last_error = 'http_403', attempts = 1");
  await failed("given-up", "refused_at = clock_timestamp() + interval '2 days', last_error = 'down', attempts = 9");
  await failed(
    "second",
    "attempts = 7, last_error = 'credentials_rejected', due_at = clock_timestamp() + interval '20 minutes'",
  );
  await failed("first", "created_at = w.created_at - interval '3 days'");
  await disconnectProfile(db(), person.profileId);
  expect((await waiting()).map(({ suspended }) => suspended)).toEqual([true, true, true, true, true]);

  // As a process does that knows no parking.
  await setConnected(person.profileId, true);
  await person.sync();
  const free = { suspended: false, attempts: 0, is_due: true };
  expect(await waiting()).toEqual([{ ...free, is_due: false }, { ...free, attempts: 1 }, free, free, free]);
  const old =
    "SELECT FROM provider_writes WHERE profile_id = $1 AND created_at < clock_timestamp() - interval '1 hour'";
  expect(await db().query(old, [person.profileId])).toEqual([]);
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
  await db().query(
    "UPDATE provider_writes SET refused_at = clock_timestamp() + interval '2 days', last_error = 'down' WHERE id = (SELECT max(id) FROM provider_writes)",
  );
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
  const rows = await db().query<{ lease: string }>("SELECT lease FROM provider_writes WHERE profile_id = $1", [
    person.profileId,
  ]);
  expect(rows).toEqual([{ lease: claimed?.lease }]);
});

it("they go with the account that is revoked", async () => {
  const { person, write, waiting } = await personAt("Revoked");
  await write("never");
  await disconnectProfile(db(), person.profileId);
  expect(await waiting()).toMatchObject([{ suspended: true }]);
  await revokeAccount(db(), person.accountId, Date.now());
  expect(await waiting()).toEqual([]);
});
