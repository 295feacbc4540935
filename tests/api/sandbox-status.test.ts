import { beforeEach, describe, expect, it } from "vitest";
import { expectEmpty } from "./responses";
import { call, type Opened, openCalendar } from "./service";

/** Every state of a profile and of a write can be seen in an application calendar, without a provider. */
const event = { summary: "S", start: "2026-12-01", end: "2026-12-02" };

let opened: Opened;
beforeEach(async () => {
  opened = await openCalendar();
});

const change = async (type: string) => expectEmpty(await opened.post("/v1/sandbox/changes", { type }), 202);
const status = async () => (await opened.get(`/v1/profiles/${opened.profileId}/status`)).json;
const receipt = async (eventId: string) =>
  (await opened.get(`/v1/calendars/${opened.calendarId}/events/${eventId}/receipt`)).json;
const states = async () =>
  (await opened.get("/v1/writes")).json.writes.map((one: Record<string, string>) => [one.event_id, one.state]);

async function send(fault: string, json: object, method = "POST") {
  const headers = { authorization: `Bearer ${opened.accessToken}`, "svc-sandbox-fault": fault };
  expectEmpty(await call(method, `/v1/calendars/${opened.calendarId}/events`, { json, headers }), 202);
}

describe("a profile", () => {
  it("is delayed, and recovers", async () => {
    await change("profile_delayed");
    expect(await status()).toMatchObject({ state: "delayed", reason: "down", since: expect.any(String) });
    await change("profile_recovered");
    expect(await status()).toMatchObject({ state: "connected", reason: null, since: null, last_read_at: null });
  });

  it("is disconnected with its reason, and connected again without any trouble from before", async () => {
    await change("profile_delayed");
    await change("profile_disconnected");
    expect(await status()).toMatchObject({ state: "disconnected", reason: "credentials_rejected" });
    await change("profile_reconnected");
    expect(await status()).toMatchObject({ state: "connected", reason: null, since: null });
  });

  it("has a first sync, and completes it", async () => {
    await change("initial_sync_started");
    expect(await status()).toMatchObject({ state: "connected", reason: "initial_sync" });
    await change("initial_sync_completed");
    expect(await status()).toMatchObject({ state: "connected", reason: null });
  });
});

describe("a write", () => {
  const refused = { state: "refused", attempts: 1, reason: "rejected" };

  it("is refused: of a new event, a change and a deletion, until it is written again", async () => {
    await send("write_refused", { event_id: "new", ...event });
    expect(await receipt("new")).toMatchObject(refused);
    await opened.write({ event_id: "old", ...event });
    await send("write_refused", { event_id: "old", ...event, summary: "Changed" });
    expect(await receipt("old")).toMatchObject(refused);
    expect(await status()).toMatchObject({ pending_writes: 0, failed_writes: 2 });
    expect((await states()).sort()).toEqual([
      ["new", "refused"],
      ["old", "refused"],
    ]);
    await opened.write({ event_id: "new", ...event });
    await opened.write({ event_id: "old", ...event, summary: "Again" });
    expect([(await receipt("new")).state, (await receipt("old")).state]).toEqual(["sent", "sent"]);
    await send("write_refused", { event_id: "old" }, "DELETE");
    expect(await receipt("old")).toMatchObject(refused);
    expectEmpty(await opened.remove(`/v1/calendars/${opened.calendarId}/events`, { event_id: "old" }), 202);
    expect(await receipt("old")).toMatchObject({ state: "sent", reason: null });
  });

  it("is pending until it is written again, or what was held is sent", async () => {
    const pending = { state: "pending", attempts: 1, reason: "down" };
    await send("write_pending", { event_id: "one", ...event });
    await send("write_pending", { event_id: "two", ...event });
    expect(await receipt("one")).toMatchObject(pending);
    expect(await status()).toMatchObject({ pending_writes: 2, failed_writes: 0 });
    await opened.write({ event_id: "one", ...event, summary: "Again" });
    expect([(await receipt("one")).state, (await receipt("two")).state]).toEqual(["sent", "pending"]);
    await change("writes_sent");
    expect(await receipt("two")).toMatchObject({ state: "sent", reason: null });
    await send("write_pending", { event_id: "two" }, "DELETE");
    expect(await receipt("two")).toMatchObject(pending);
    expect(await states()).toEqual([
      ["one", "sent"],
      ["two", "pending"],
    ]);
    await change("profile_reconnected");
    expect(await states()).toEqual([["one", "sent"]]);
  });

  it("that is held while the profile is disconnected waits for the user", async () => {
    await send("write_pending", { event_id: "one", ...event });
    await change("profile_disconnected");
    expect(await receipt("one")).toMatchObject({ state: "pending", reason: "credentials_rejected" });
  });
});
