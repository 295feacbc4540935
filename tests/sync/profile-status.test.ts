import { expect, it } from "vitest";
import { fakeClock } from "../fakes/clock";
import { fileEnvironment } from "./file-environment";
import { connectGooglePerson, google } from "./google-person";
import { ADA, syncedGoogle, watchedGoogle } from "./google-scene";
import { ours, type Person } from "./world";

/** What an application is told of a profile while its provider works, fails and refuses. */
fileEnvironment(() => ({ LOG_LEVEL: "error" }));

async function statusOf({ get, profileId }: Pick<Person, "get" | "profileId">) {
  const { status, json } = await get(`/v1/profiles/${profileId}/status`);
  expect(status).toBe(200);
  return json;
}

it("a first sync is named until it ends, two failed reads in a row are a delay, and the next good one ends it", async () => {
  const provider = await google();
  const person = await connectGooglePerson(provider);
  expect(await statusOf(person)).toMatchObject({ state: "connected", reason: "initial_sync", last_read_at: null });
  await person.sync();
  const well = await statusOf(person);
  expect(well).toMatchObject({ state: "connected", reason: null, since: null, pushes: "off" });
  expect(well.next_read_at > well.last_read_at).toBe(true);

  provider.faults.next({ respond: "serviceUnavailable", times: 99 });
  await person.sync();
  expect(await statusOf(person)).toMatchObject({ state: "connected", reason: null });
  await person.sync();
  const delayed = { state: "delayed", reason: "down", since: well.last_read_at, last_read_at: well.last_read_at };
  expect(await statusOf(person)).toMatchObject(delayed);

  provider.faults.clear();
  await person.sync();
  expect(await statusOf(person)).toMatchObject({ state: "connected", reason: null, since: null });
});

it("a calendar that can't be read is a delay, though the others are read", async () => {
  const { provider, person } = await syncedGoogle({
    fill: (ada, { faults }) => {
      ada.addCalendar({ id: "refused@group", summary: "refused" });
      faults.next({ path: /refused@group\/events$/, respond: "forbidden", times: 99 });
    },
  });
  await person.sync();
  expect(await statusOf(person)).toMatchObject({ state: "delayed", reason: "calendar_failed" });
  provider.faults.clear();
  await person.sync();
  expect(await statusOf(person)).toMatchObject({ state: "connected", reason: null });
});

it("pushes are live while Google notifies us", async () => {
  const { person } = await watchedGoogle();
  expect(await statusOf(person)).toMatchObject({ state: "connected", reason: null, pushes: "live" });
});

it("a refused sign-in disconnects with its reason, and what is written then is pending until the user reconnects", async () => {
  const { provider, person, path } = await syncedGoogle();
  const clock = fakeClock();
  provider.revokeConsent(ADA);
  for (let syncs = 0; syncs < 3; syncs += 1) {
    await person.sync();
    clock.advance(30_000);
  }
  const status = await statusOf(person);
  expect(status).toMatchObject({ state: "disconnected", reason: "credentials_rejected", pushes: "off" });
  expect([status.since, status.next_read_at, status.pending_writes]).toEqual([expect.any(String), null, 0]);
  expect((await person.post(path, ours("waits"))).status).toBe(202);
  expect(await statusOf(person)).toMatchObject({ pending_writes: 1, failed_writes: 0 });

  await person.connectAgain(null);
  await person.sync();
  await person.push();
  expect(await statusOf(person)).toMatchObject({ state: "connected", reason: null, pending_writes: 0 });
});
