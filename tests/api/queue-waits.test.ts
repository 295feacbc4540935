import { beforeEach, expect, it, onTestFinished } from "vitest";
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

beforeEach(async () => {
  const nothing = () => {};
  waits.length = 0;
  context.meters = {
    ...{ request: nothing, admission: nothing, attempt: nothing, sync: nothing, push: nothing },
    providerRequest: nothing,
    wait: (about) => waits.push(about),
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
