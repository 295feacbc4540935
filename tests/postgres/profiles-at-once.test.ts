import { afterAll, beforeAll, expect, it } from "vitest";
import type { Database } from "@/server/db/client";
import { claimProfiles } from "@/server/sync/claim-profiles";
import { providerSlots } from "@/server/sync/provider-slots";
import { seedAccount, seedApplication } from "@/tests/rig/seed";
import { openProcesses, type Processes } from "./processes";

const PROFILES = 3;

let processes: Processes;
let db: Database;

beforeAll(async () => {
  processes = await openProcesses(1);
  ({ db } = processes);
  const clientId = await seedApplication(db);
  for (let i = 0; i < PROFILES; i += 1) await seedAccount(db, clientId);
  await db.query("UPDATE profiles SET credential = 'sealed'");
  await db.query(
    `UPDATE profile_syncs SET readable = true, first_sync = false,
  sync_due_at = clock_timestamp() - interval '1 hour' + (SELECT count(*) FROM profiles p WHERE p.id < profile_id) * interval '1 minute'`,
  );
});

afterAll(() => processes.close());

it("a process takes the next profiles while another is claiming the first ones", async () => {
  const due = await db.query<{ id: string }>("SELECT profile_id AS id FROM profile_syncs ORDER BY sync_due_at");
  const ids = due.map(({ id }) => id);
  expect(ids).toHaveLength(PROFILES);
  const [slots] = providerSlots(2).free(["icloud"]);
  if (!slots) throw new Error("there are no slots");
  const one = { ...slots, most: 1 };
  const [other = db] = processes.others;
  await other.transaction(async (query) => {
    await query("SELECT FROM profile_syncs WHERE profile_id = $1 FOR UPDATE", [ids[0]]);
    const claimed = await claimProfiles(db, [one]);
    expect(claimed.map(({ id }) => id)).toEqual([ids[1]]);
    await query("SELECT FROM profile_syncs WHERE profile_id = $1 FOR UPDATE SKIP LOCKED", [ids[2]]);
    expect(await claimProfiles(db, [one])).toEqual([]);
  });
  expect((await claimProfiles(db, [one])).map(({ id }) => id)).toEqual([ids[0]]);
});
