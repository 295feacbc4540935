import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import type { Database } from "@/server/db/client";
import { lockStatement, locks } from "@/server/db/locks";
import { providerTraits } from "@/server/domain/providers";
import { type ClaimedWrite, claimWrites } from "@/server/sync/claim-writes";
import { openSlots } from "@/tests/fakes/open-slots";
import { openProcesses, type Processes } from "./processes";

const PROCESSES = 4;
const ROUNDS = 15;
const MAILBOXES = 6;
const EACH = 12;
/** The reader of the same account makes a request beside them. */
const MOST_OF_MAILBOX = providerTraits.google.requestsAtATime - 1;

let processes: Processes;
let db: Database;
let pools: Database[];

beforeAll(async () => {
  processes = await openProcesses(PROCESSES);
  ({ db, others: pools } = processes);
});
afterAll(() => processes.close());

/** Due writes of some mailboxes at Google, without the events and accounts that they are of. */
beforeEach(async () => {
  await db.transaction(async (query) => {
    await query("SET LOCAL session_replication_role = replica");
    for (const table of ["provider_writes", "profiles", "profile_syncs"]) await query(`DELETE FROM ${table}`);
    await query(
      `INSERT INTO profiles (id, account_id, application_id, provider, service, subject, name, credential)
SELECT 'p' || n, 'a', 'a', 'google', 'google', n, 'n', 'sealed' FROM generate_series(1, $1) n`,
      [MAILBOXES],
    );
    await query(
      "INSERT INTO profile_syncs (profile_id, application_id, provider, readable, first_sync) SELECT id, application_id, provider, true, false FROM profiles",
    );
    await query(
      `INSERT INTO provider_writes (id, event_row, calendar_id, profile_id, account_id, due_at)
SELECT n, 'e' || n, 'c', 'p' || 1 + n % $1::int, 'a', now() - make_interval(secs => n) FROM generate_series(1, $1::int * $2::int) n`,
      [MAILBOXES, EACH],
    );
  });
});

const slots = [openSlots("google", MAILBOXES * EACH)];

it(`${PROCESSES} processes that claim at once keep each mailbox's limit and claim nothing twice`, async () => {
  for (let round = 0; round < ROUNDS; round++) {
    const claimed: ClaimedWrite[] = [];
    const claimAll = async (pool: Database) => {
      for (let got = await claimWrites(pool, slots); got.length > 0; got = await claimWrites(pool, slots))
        claimed.push(...got);
    };
    await Promise.all(pools.map(claimAll));
    await claimAll(db); // what the others left because they met there
    const most = await db.query<{ n: number }>(
      "SELECT count(*)::int AS n FROM provider_writes WHERE leased_until > now() GROUP BY profile_id",
    );
    expect(most.map(({ n }) => n)).toEqual(Array(MAILBOXES).fill(MOST_OF_MAILBOX));
    expect(new Set(claimed.map(({ id }) => id)).size).toBe(MAILBOXES * MOST_OF_MAILBOX);
    expect(claimed).toHaveLength(MAILBOXES * MOST_OF_MAILBOX);
    await db.query("UPDATE provider_writes SET attempts = 0, lease = NULL, leased_until = NULL, due_at = created_at");
  }
});

it("a claim passes by mailboxes at which another process is claiming, and takes the others", async () => {
  await db.transaction(async (query) => {
    await claimWrites({ ...db, query }, [openSlots("google", MOST_OF_MAILBOX)]);
    const [other = db] = pools;
    const held = await query<{ id: string }>(
      "SELECT DISTINCT profile_id AS id FROM provider_writes WHERE leased_until > now()",
    );
    const claimed = await claimWrites(other, slots);
    const mailboxes = new Set(claimed.map(({ profileId }) => profileId));
    expect(mailboxes.size).toBe(MAILBOXES - held.length);
    for (const { id } of held) expect(mailboxes).not.toContain(id);
  });
});

/** It counted before the other claimed, and takes its locks afterwards. The version before claims as the other does here, while nobody else may. */
it("a claim takes nothing at a mailbox at which another has claimed since it counted", async () => {
  const [other = db] = pools;
  let claimed: Promise<ClaimedWrite[]> | undefined;
  await db.transaction(async (query) => {
    await query(lockStatement(locks.providerWriteClaims));
    claimed = claimWrites(other, slots);
    const isWaiting = async () =>
      (await query("SELECT FROM pg_locks WHERE locktype = 'advisory' AND NOT granted")).length > 0;
    await expect.poll(isWaiting).toBe(true);
    await query("SET LOCAL session_replication_role = replica");
    await query(
      `UPDATE provider_writes SET due_at = due_at - interval '1 day'
WHERE id IN (SELECT id FROM provider_writes WHERE profile_id = 'p1' ORDER BY due_at DESC LIMIT $1)`,
      [MOST_OF_MAILBOX],
    );
    const first = await claimWrites({ ...db, query }, [openSlots("google", MOST_OF_MAILBOX)]);
    expect(first.map(({ profileId }) => profileId)).toEqual(Array(MOST_OF_MAILBOX).fill("p1"));
  });
  const mailboxes = (await claimed)?.map(({ profileId }) => profileId) ?? [];
  expect(mailboxes).toHaveLength((MAILBOXES - 1) * MOST_OF_MAILBOX);
  expect(mailboxes).not.toContain("p1");
});
