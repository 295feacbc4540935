import { describe, expect, it } from "vitest";
import { db } from "@/server/db/client";
import { type FakeClock, fakeClock } from "../fakes/clock";
import { type GoogleRequest, googleRefusal, notGoogles } from "../fakes/google/refusals";
import { fileEnvironment } from "./file-environment";
import type { Google } from "./google-person";
import { ADA, asked, askedDuring, syncedGoogle, timed, watchedGoogle } from "./google-scene";
import { ours, POLL_MS } from "./world";

fileEnvironment(() => ({ LOG_LEVEL: "fatal" }));

const HOUR_MS = 3_600_000;
const renewals = ({ requests }: Google) => requests.filter(({ path }) => path === "/token").length;
const refusedFor = async (profileId: string) => {
  const rows = await db().prisma.providerWatch.findMany({ where: { profileId }, select: { refusedFor: true } });
  return [...new Set(rows.map((row) => row.refusedFor))];
};

describe("a grant that was revoked while notices come", () => {
  /** A notice comes, and what it is about is read. */
  async function noticed({ calendar, noticed: read }: Awaited<ReturnType<typeof watchedGoogle>>, day: number) {
    calendar.putEvent({ summary: `On day ${day}`, ...timed(day) });
    await read();
  }

  async function revoked() {
    const clock = fakeClock();
    const scene = await watchedGoogle();
    scene.provider.revokeConsent(ADA);
    scene.provider.requests.length = 0;
    return { clock, scene, ...scene };
  }

  it("is noticed by the first of them, and the profile is disconnected half a minute later", async () => {
    const { clock, scene, provider, person, syncing } = await revoked();
    await noticed(scene, 2);
    expect(await person.profile()).toMatchObject({ connected: true, sync_error: "credentials_rejected" });
    clock.advance(31_000);
    await syncing.drain(60_000);
    expect(await person.profile()).toMatchObject({ connected: false });
    expect(renewals(provider)).toBe(2);
  });

  it("has the access token asked for twice, whatever needs one in the meantime", async () => {
    const { clock, scene, provider, person, syncing } = await revoked();
    const path = `/v1/calendars/${scene.calendarId}/events`;
    for (const name of ["a", "b", "c"]) await person.post(path, ours(name));
    await person.push();
    for (const day of [2, 3, 4]) await noticed(scene, day);
    await person.push();
    expect(renewals(provider)).toBe(1);
    clock.advance(31_000);
    await syncing.drain(60_000);
    expect(await person.profile()).toMatchObject({ connected: false });
    expect(renewals(provider)).toBe(2);
  });
});

it("one calendar that is refused after a notice has the list asked, which tells that the others are not", async () => {
  const { provider, person, calendar, noticed, summaries } = await watchedGoogle();
  provider.faults.next({ ...googleRefusal("list_event_changes", 401, "authError"), times: 2 });
  calendar.putEvent({ summary: "Stand-up", ...timed(2) });
  await noticed();
  expect(asked(provider)).toContain("GET users/me/calendarList");
  expect(await person.profile()).toMatchObject({ connected: true });
  expect(await summaries()).toEqual(["Stand-up"]);
});

describe("a refused watch", () => {
  it.each([
    [401, "push.webhookUrlUnauthorized"],
    [400, "push.webhookUrlNotHttps"],
    [403, "forbidden"],
    [401, "authError"],
  ])(
    "(%i %s) is no reason to disconnect: everything is polled, staff see why, and it is asked for again",
    async (status, word) => {
      const clock = fakeClock();
      const scene = await watchedGoogle({
        pollMs: POLL_MS,
        fill: (_, { faults }) => faults.next({ ...googleRefusal("open_watch", status, word), times: 9 }),
      });
      const { provider, person, calendar, syncing, summaries } = scene;
      calendar.putEvent({ summary: "Stand-up", ...timed(2) });
      const during = await askedDuring(scene, 5 * POLL_MS);
      expect(during.filter((one) => one === "GET users/me/calendarList").length).toBeGreaterThanOrEqual(4);
      expect(during.filter((one) => one.endsWith("/watch"))).toEqual([]);
      expect(await summaries()).toEqual(["Stand-up"]);
      expect(await person.profile()).toMatchObject({ connected: true, sync_error: null });
      expect(await refusedFor(person.profileId)).toEqual([`http_${status}_${word}`]);
      provider.faults.clear();
      clock.advance(HOUR_MS);
      await syncing.drain(60_000);
      expect(provider.channels).toHaveLength(2);
      expect(await refusedFor(person.profileId)).toEqual([null]);
      expect(Number((await person.profile()).due_in)).toBeGreaterThan(HOUR_MS / 1_000);
    },
  );
});

describe("an accepted write", () => {
  const writes: readonly [GoogleRequest, object][] = [
    ["create_event", {}],
    ["change_event", { summary: "Renamed" }],
  ];
  const pages = [400, 403, 404, 409, 410, 413, 500].flatMap((status) =>
    writes.map(([kind, more]) => [status, kind, more] as const),
  );

  it.each(pages)("is not lost to a page of a proxy (%i, %s)", async (status, kind, more) => {
    const { provider, person, path, calendar } = await syncedGoogle();
    if (kind === "change_event") {
      await person.post(path, ours("one"));
      await person.push();
    }
    provider.faults.next(notGoogles(kind, status));
    await person.post(path, ours("one", more));
    await person.push();
    await person.sync();
    await person.push();
    const summary = "summary" in more ? "Renamed" : "Ours one";
    expect(calendar.events()).toMatchObject([{ summary, status: "confirmed" }]);
    expect(await person.events(await person.calendarId(ADA))).toMatchObject([{ summary }]);
  });

  it("that is a deletion is not lost to one either, nor to a success that says nothing", async () => {
    const { provider, person, path, calendar } = await syncedGoogle();
    provider.faults.next({ ...notGoogles("create_event", 200), respond: { status: 200, body: {} } });
    await person.post(path, ours("one"));
    for (let pushes = 0; pushes < 2; pushes += 1) await person.push();
    expect(calendar.events()).toHaveLength(1);
    provider.faults.next(notGoogles("delete_event", 403));
    await person.remove(path, { event_id: "one" });
    for (let pushes = 0; pushes < 2; pushes += 1) await person.push();
    expect(calendar.events()).toMatchObject([{ status: "cancelled" }]);
  });
});

describe("a mistake of the registration at Google", () => {
  it.each(["invalid_client", "deleted_client", "invalid_scope"])(
    "(%s) disconnects nobody, and staff see it",
    async (word) => {
      const clock = fakeClock();
      const { provider, person, calendar, summaries } = await syncedGoogle();
      clock.advance(2 * HOUR_MS);
      provider.faults.next({ ...googleRefusal("renew_access", 401, word), times: 3 });
      for (let syncs = 0; syncs < 3; syncs += 1) await person.sync();
      expect(await person.profile()).toMatchObject({ connected: true, sync_error: "misconfigured" });
      calendar.putEvent({ summary: "Read", ...timed(2) });
      await person.sync();
      expect(await summaries()).toEqual(["Read"]);
    },
  );
});

describe("a renewal that is refused for good", () => {
  it.each(["invalid_grant", "unauthorized_client", "access_denied", "admin_policy_enforced", "a_new_word"])(
    "(%s) disconnects the profile",
    async (word) => {
      const clock: FakeClock = fakeClock();
      const { provider, person } = await syncedGoogle();
      clock.advance(2 * HOUR_MS);
      provider.faults.next({ ...googleRefusal("renew_access", 400, word), times: 2 });
      for (let syncs = 0; syncs < 2; syncs += 1) await person.sync();
      expect(await person.profile()).toMatchObject({ connected: false });
    },
  );

  it.each([400, 403, 503])("is not one if a proxy refuses it (%i)", async (status) => {
    const clock = fakeClock();
    const { provider, person } = await syncedGoogle();
    clock.advance(2 * HOUR_MS);
    provider.faults.next({ ...notGoogles("renew_access", status), times: 3 });
    for (let syncs = 0; syncs < 3; syncs += 1) await person.sync();
    expect(await person.profile()).toMatchObject({ connected: true, sync_error: "down" });
    await person.sync();
    expect(await person.profile()).toMatchObject({ connected: true, sync_error: null });
  });
});

it("a notice has a calendar read again that failed a moment ago, and no more often than every few seconds", async () => {
  const clock = fakeClock();
  const { provider, calendar, person, syncing, noticed, summaries } = await watchedGoogle({ pollMs: 10 * POLL_MS });
  const read = `GET calendars/${ADA}/events`;
  const reads = () => asked(provider).filter((one) => one === read).length;
  provider.faults.next({ method: "GET", path: /\/events$/, respond: "backendError", times: 2 });
  calendar.putEvent({ summary: "First", ...timed(2) });
  await noticed();
  expect([reads(), await summaries()]).toEqual([1, []]);
  const { syncFailures } = await db().prisma.calendar.findFirstOrThrow({ where: { profileId: person.profileId } });
  clock.advance(1_000);
  for (const day of [3, 4]) {
    calendar.putEvent({ summary: `On day ${day}`, ...timed(day) });
    await noticed();
  }
  expect(reads()).toBe(1);
  clock.advance(5_000);
  await syncing.drain(60_000);
  expect(reads()).toBe(2);
  expect(await db().prisma.calendar.findFirst({ where: { profileId: person.profileId } })).toMatchObject({
    syncFailures,
  });
  clock.advance(6_000);
  calendar.putEvent({ summary: "Last", ...timed(5) });
  await noticed();
  expect(await summaries()).toEqual(["First", "On day 3", "On day 4", "Last"]);
});
