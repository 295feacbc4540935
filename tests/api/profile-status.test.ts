import { describe, expect, it } from "vitest";
import { db } from "@/server/db/client";
import { formatInstant, type Instant } from "@/server/domain/time/instant";
import { fakeClock } from "../fakes/clock";
import { changeCalendar, changeProfile, changeSync, storedCalendars } from "../fakes/stored";
import { refuseWrites } from "../fakes/stored-writes";
import { connectedWithTokens, withToken } from "./grants";
import { expectEmpty, expectSignedOut } from "./responses";
import { call, newApplication, openCalendar } from "./service";

const MINUTE_MS = 60_000;
const inSeconds = (ms: number) => formatInstant(ms as Instant);

async function connected() {
  const account = await connectedWithTokens(await newApplication());
  const status = async () => (await withToken("GET", pathOf(account.profileId), account.accessToken)).json;
  const write = async (eventId: string) => {
    const event = { event_id: eventId, summary: "S", start: "2026-12-01", end: "2026-12-02" };
    const path = `/v1/calendars/${account.calendarIds.writable}/events`;
    expect((await withToken("POST", path, account.accessToken, event)).status).toBe(202);
  };
  return { ...account, status, write };
}

const pathOf = (profileId: string) => `/v1/profiles/${profileId}/status`;

describe("200", () => {
  it("says of an application calendar that it is connected, and needs no reads", async () => {
    const { get, profileId, write } = await openCalendar();
    await write({ event_id: "own", summary: "S", start: "2026-12-01", end: "2026-12-02" });
    const answer = await get(pathOf(profileId));
    expect(answer).toMatchObject({ status: 200 });
    expect(answer.json).toEqual({
      ...{ state: "connected", reason: null, since: null, last_read_at: null, next_read_at: null, pushes: "live" },
      ...{ pending_writes: 0, failed_writes: 0 },
    });
  });

  it("names the first sync while it is not complete", async () => {
    const clock = fakeClock();
    const { profileId, status } = await connected();
    await changeProfile(profileId, { createdAt: new Date(clock.now()) });
    await changeSync(profileId, { syncDueAt: new Date(clock.now()) });
    expect(await status()).toEqual({
      ...{ state: "connected", reason: "initial_sync", since: inSeconds(clock.now()), last_read_at: null },
      ...{ next_read_at: inSeconds(clock.now()), pushes: "off", pending_writes: 0, failed_writes: 0 },
    });
  });

  it("is delayed from the second failed read on, and does not count one in progress", async () => {
    const clock = fakeClock();
    const { profileId, status } = await connected();
    await changeProfile(profileId, { initialSyncRequired: false });
    const readAt = new Date(clock.now() - 10 * MINUTE_MS);
    const syncDueAt = new Date(clock.now() + MINUTE_MS);
    await changeSync(profileId, { lastSyncAt: readAt, syncDueAt, syncFailures: 1, syncError: "down" });
    expect(await status()).toMatchObject({ state: "connected", reason: null, since: null });
    const leased = { syncLease: "lease", syncLeasedUntil: new Date(clock.now() + MINUTE_MS) };
    await changeSync(profileId, { syncFailures: 2, ...leased });
    expect(await status()).toMatchObject({ state: "connected", reason: null });
    await changeSync(profileId, { syncLease: null, syncLeasedUntil: null });
    expect(await status()).toMatchObject({
      ...{ state: "delayed", reason: "down", since: inSeconds(readAt.getTime()) },
      ...{ last_read_at: inSeconds(readAt.getTime()), next_read_at: inSeconds(syncDueAt.getTime()) },
    });
  });

  it("is delayed since the calendar that can't be read was, while the others are", async () => {
    const clock = fakeClock();
    const { accountId, profileId, status } = await connected();
    await changeProfile(profileId, { initialSyncRequired: false });
    await changeSync(profileId, { lastSyncAt: new Date(clock.now()), syncFailures: 2, syncError: "calendar_failed" });
    const [first] = await storedCalendars(accountId);
    const readAt = new Date(clock.now() - 60 * MINUTE_MS);
    await changeCalendar(first?.id ?? "", { syncFailures: 2, readAt });
    const since = inSeconds(readAt.getTime());
    expect(await status()).toMatchObject({ state: "delayed", reason: "calendar_failed", since, last_read_at: since });
  });

  it("is delayed where a read is overdue by more than 5 minutes, and says so of a provider that asked for time", async () => {
    const clock = fakeClock();
    const { profileId, status } = await connected();
    await changeProfile(profileId, { initialSyncRequired: false });
    const syncDueAt = new Date(clock.now() - 5 * MINUTE_MS);
    await changeSync(profileId, { syncDueAt });
    expect(await status()).toMatchObject({ state: "connected", reason: null });
    clock.advance(1_000);
    expect(await status()).toMatchObject({ state: "delayed", reason: "overdue", since: inSeconds(+syncDueAt) });
    const throttledUntil = new Date(clock.now() + MINUTE_MS);
    await changeSync(profileId, { throttledUntil });
    expect(await status()).toMatchObject({ reason: "throttled", next_read_at: inSeconds(+throttledUntil) });
  });

  it("is disconnected since the provider refused access, and is not read", async () => {
    const clock = fakeClock();
    const { profileId, status } = await connected();
    const disconnectedAt = new Date(clock.now() - MINUTE_MS);
    await changeSync(profileId, { syncDueAt: new Date(clock.now()) });
    await changeProfile(profileId, { connected: false, disconnectedAt });
    expect(await status()).toMatchObject({
      ...{ state: "disconnected", reason: "credentials_rejected", since: inSeconds(+disconnectedAt) },
      next_read_at: null,
    });
  });

  it("says how far the provider notifies us of changes", async () => {
    const clock = fakeClock();
    const { profileId, status, calendarIds } = await connected();
    const { prisma } = db();
    const later = new Date(clock.now() + MINUTE_MS);
    const watch = (channel: string, more: object) =>
      prisma.providerWatch.create({ data: { channel: channel + profileId, profileId, renewAt: later, ...more } });
    expect(await status()).toMatchObject({ pushes: "off" });
    await watch("a", { calendarId: calendarIds.writable, resource: "r", expiresAt: later });
    expect(await status()).toMatchObject({ pushes: "partial" });
    // The provider watches nothing of this kind.
    await watch("b", { calendarId: calendarIds.readonly });
    expect(await status()).toMatchObject({ pushes: "live" });
    await prisma.providerWatch.updateMany({ where: { channel: `b${profileId}` }, data: { refusedFor: "http_403" } });
    expect(await status()).toMatchObject({ pushes: "partial" });
    clock.advance(MINUTE_MS);
    expect(await status()).toMatchObject({ pushes: "off" });
  });

  it("counts the writes that the provider does not have: those that are still to be sent apart from the others", async () => {
    const { calendarIds, profileId, status, write } = await connected();
    for (const eventId of ["one", "two", "three"]) await write(eventId);
    expect(await status()).toMatchObject({ pending_writes: 3, failed_writes: 0 });
    await refuseWrites(calendarIds.writable, "http_403", { eventId: "one" });
    await refuseWrites(calendarIds.writable, "down", { eventId: "two", refusedAt: new Date(Date.now() + 172_800_000) });
    expect(await status()).toMatchObject({ pending_writes: 1, failed_writes: 2 });
    // Given up while nothing could be read: it is sent once the user reconnects.
    await changeProfile(profileId, { connected: false });
    expect(await status()).toMatchObject({ pending_writes: 2, failed_writes: 1 });
  });
});

describe("401", () => {
  it("is the answer without a token and with an unknown one", async () => {
    expectSignedOut(await call("GET", pathOf("pro_1")), "invalid_request");
    expectSignedOut(await withToken("GET", pathOf("pro_1"), "at_unknown"), "invalid_token");
  });
});

describe("404", () => {
  it("is the answer for a profile of another account or application, as for an unknown one", async () => {
    const application = await newApplication();
    const { get } = await openCalendar(application);
    const others = [await openCalendar(application), await openCalendar()].map(({ profileId }) => profileId);
    for (const profileId of [...others, "pro_unknown", "%00"]) expectEmpty(await get(pathOf(profileId)), 404);
  });
});
