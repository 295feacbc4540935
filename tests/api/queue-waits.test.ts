import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { clock } from "@/server/clock";
import { context } from "@/server/context";
import { db } from "@/server/db/client";
import { claimProfiles } from "@/server/sync/claim-profiles";
import { claimWrites } from "@/server/sync/claim-writes";
import { claim } from "@/server/webhooks/claim";
import { fanOut } from "@/server/webhooks/fan-out";
import { fakeClock } from "../fakes/clock";
import { openSlots } from "../fakes/open-slots";
import { dropDeliveries } from "../fakes/stored-deliveries";
import { ownDatabase } from "./own-database";
import { openCalendar } from "./service";
import { openChannel } from "./webhooks/world";

// Vite puts its own into the environment of every test.
ownDatabase(() => ({ BASE_URL: "http://api.almanac.localhost", CALLBACK_ALLOWED_ORIGINS: "http://127.0.0.1:9" }));

const waits: { work: string; ms: number }[] = [];
const announced: number[] = [];

beforeEach(async () => {
  const nothing = () => {};
  waits.length = 0;
  announced.length = 0;
  context.meters = {
    ...{
      request: nothing,
      admission: nothing,
      attempt: nothing,
      sync: nothing,
      push: nothing,
      alertMessage: nothing,
      refusedForMaintenance: nothing,
    },
    wait: (about) => waits.push(about),
    announcement: (ms) => announced.push(ms),
  };
  onTestFinished(() => {
    context.meters = undefined;
  });
  await dropDeliveries();
});

it("an account whose changes become deliveries, and a delivery that is claimed, say how long they had been due", async () => {
  const clock = fakeClock();
  await openChannel(await openCalendar(), "http://127.0.0.1:9/hook");
  clock.advance(1_500);
  await fanOut(db());
  clock.advance(2_500);
  expect(await claim(db(), { most: 10 })).toMatchObject([{ waitedMs: 2_500 }]);
  expect(waits).toEqual([
    { work: "notify", ms: 1_500 },
    { work: "deliver", ms: 2_500 },
  ]);
});

describe("from a change to its webhook", () => {
  const change = async (account: Awaited<ReturnType<typeof openCalendar>>) =>
    await db().query(
      `INSERT INTO outbox (kind, account_id, subject, payload, due_at)
SELECT 'change', account_id, id, jsonb_build_object('managed', false, 'at', $2::float8), to_timestamp($2::float8 / 1000) + interval '1 second'
FROM calendars WHERE account_id = $1 LIMIT 1`,
      [account.accountId, clock().now()],
    );
  const tell = async () => {
    const time = fakeClock();
    const account = await openCalendar();
    const channel = await openChannel(account, "http://127.0.0.1:9/hook");
    await fanOut(db());
    await db().query("UPDATE deliveries SET state = 'delivered', next_attempt_at = NULL, finished_at = created_at");
    await change(account);
    time.advance(1_500);
    return { time, account, channel };
  };

  it("is measured once, at the first attempt, of changes alone", async () => {
    const { time } = await tell();
    expect(announced).toEqual([]);
    await fanOut(db());
    time.advance(700);
    const [first] = await claim(db(), { most: 10 });
    expect(first?.attempt).toBe(1);
    expect(announced).toEqual([2_200]);
    time.advance(60_000);
    expect(await claim(db(), { most: 10, seen: { someWaited: true } })).toMatchObject([{ attempt: 2 }]);
    expect(announced).toEqual([2_200]);
  });

  it("doesn't count the time in which the endpoint was paused", async () => {
    const { time } = await tell();
    await db().query("UPDATE channels SET paused_at = now()");
    await fanOut(db());
    time.advance(3_600_000);
    expect(await claim(db(), { most: 10 })).toEqual([]);
    await db().query("UPDATE deliveries SET next_attempt_at = $1 WHERE state = 'pending'", [new Date(time.now())]);
    time.advance(100);
    await claim(db(), { most: 10 });
    expect(announced).toEqual([1_600]);
  });

  it("doesn't count a body that reaches back to a delivery that failed for good", async () => {
    const { time } = await tell();
    await db().query("UPDATE channels SET unnotified_since = $1", [new Date(time.now() - 86_400_000)]);
    await fanOut(db());
    expect(await claim(db(), { most: 10 })).toMatchObject([{ attempt: 1, changedMs: null }]);
    expect(announced).toEqual([]);
  });
});

it("a sync and a write to a provider that are claimed say how long they had been due", async () => {
  const clock = fakeClock();
  await db().transaction(async (query) => {
    // The write is of an event that is not there.
    await query("SET LOCAL session_replication_role = replica");
    const names = ["p1", "a", "icloud", new Date(clock.now())];
    await query(
      `INSERT INTO profiles (id, account_id, application_id, provider, service, subject, name, credential, connected)
VALUES ($1, $2, $2, $3::text::provider, (enum_range(NULL::provider_service))[1], 's', 'n', 'sealed', $4::timestamptz IS NOT NULL)`,
      names,
    );
    await query(
      `INSERT INTO profile_syncs (profile_id, application_id, provider, readable, first_sync, sync_due_at)
VALUES ($1, $2, $3::text::provider, true, false, $4)`,
      names,
    );
    await query(
      `INSERT INTO provider_writes (id, event_row, calendar_id, profile_id, account_id, due_at)
VALUES (1, 'e', $3, $1, $2, $4)`,
      names,
    );
  });
  clock.advance(40_000);
  const slots = [openSlots("icloud", 5)];
  expect(await claimProfiles(db(), slots)).toMatchObject([{ waitedMs: 40_000 }]);
  expect(await claimWrites(db(), slots)).toMatchObject([{ waitedMs: 40_000 }]);
  expect(waits).toEqual([
    { work: "sync", ms: 40_000 },
    { work: "push", ms: 40_000 },
  ]);
});
