import { expect, it } from "vitest";
import { fileEnvironment } from "./file-environment";
import { syncedGoogle } from "./google-scene";
import { ours } from "./world";

/** What an application is told of its writes while they are on their way to the provider. */
fileEnvironment(() => ({ LOG_LEVEL: "error" }));

async function written(eventId: string) {
  const { provider, person, path, calendar } = await syncedGoogle();
  expect((await person.post(path, ours(eventId))).status).toBe(202);
  const receipt = async () => (await person.get(`${path}/${eventId}/receipt`)).json;
  const states = async () =>
    (await person.get("/v1/writes")).json.writes.map((one: { event_id: string; state: string }) => [
      one.event_id,
      one.state,
    ]);
  return { provider, person, path, calendar, receipt, states };
}

it("a write is pending while the provider is down, with each attempt, and sent at the one that succeeds", async () => {
  const { provider, person, receipt, states } = await written("late");
  const before = await receipt();
  expect(before).toMatchObject({ state: "pending", attempts: 0, reason: null });
  provider.faults.next({ method: "POST", path: /\/events$/, respond: "serviceUnavailable", times: 2 });
  for (const attempts of [1, 2]) {
    await person.push();
    expect(await receipt()).toEqual({ ...before, attempts, reason: "down" });
  }
  await person.push();
  const sent = await receipt();
  expect(sent).toMatchObject({ state: "sent", attempts: 3, reason: null });
  expect(sent.at >= before.at).toBe(true);
  expect(await states()).toEqual([["late", "sent"]]);
  await person.sync();
  expect(await receipt()).toEqual(sent);
});

it("a deletion is pending until the provider has it, and then sent, though no list has the event", async () => {
  const { person, path, calendar, receipt, states } = await written("gone");
  await person.push();
  expect((await person.remove(path, { event_id: "gone" })).status).toBe(202);
  expect(await receipt()).toMatchObject({ state: "pending", attempts: 0 });
  expect(await states()).toEqual([["gone", "pending"]]);
  await person.push();
  expect(calendar.events()).toMatchObject([{ status: "cancelled" }]);
  expect(await receipt()).toMatchObject({ state: "sent", attempts: 1, reason: null });
  expect(await states()).toEqual([]);
});

it("a write that the provider refuses is refused, also once reads say again what the provider has", async () => {
  const { provider, person, path, receipt, states } = await written("refused");
  provider.faults.next({ method: "POST", path: /\/events$/, respond: "forbidden", times: 9 });
  await person.push();
  const refused = { state: "refused", attempts: 1, reason: "rejected" };
  expect(await receipt()).toMatchObject(refused);
  provider.faults.clear();
  await person.sync();
  expect(await person.events(await person.calendarId("ada@example.com"))).toEqual([]);
  expect(await receipt()).toMatchObject(refused);
  expect(await states()).toEqual([["refused", "refused"]]);

  expect((await person.post(path, ours("refused"))).status).toBe(202);
  await person.push();
  expect(await receipt()).toMatchObject({ state: "sent", attempts: 1, reason: null });
  expect(await states()).toEqual([["refused", "sent"]]);
});
