import { beforeAll, describe, expect, it } from "vitest";
import { db, type Query } from "@/server/db/client";
import { runComposed } from "@/server/db/composed";
import { run } from "@/server/db/statement";
import { statusOfProfile } from "@/server/services/profiles/status.sql";
import { receiptOfEvent, type WriteSearch, writePage } from "@/server/services/writes/writes.sql";
import { connectedWithTokens } from "./grants";
import { ownDatabase } from "./own-database";
import { newApplication } from "./service";
import { rowsReadBy } from "./staff/rows-read";

/** What the statements read where there are many events, of the application and of others, and many writes of other accounts. */
const PAGE = 300;
const PENDING = 40;

ownDatabase();

let own: Awaited<ReturnType<typeof connectedWithTokens>>;

beforeAll(async () => {
  own = await connectedWithTokens(await newApplication());
  const other = await connectedWithTokens(await newApplication());
  for (const account of [own, other]) {
    const { writable } = account.calendarIds;
    await fill(writable, { count: 4_000, name: "NULL", deleted: "NULL" });
    await fill(writable, { count: 3_000, name: "'own-' || i", deleted: "NULL" });
    await fill(writable, { count: 3_000, name: "'old-' || i % 500", deleted: "now() - i * interval '1 minute'" });
  }
  await queue(own, PENDING);
  await queue(other, 2_500);
}, 300_000);

interface Filling {
  count: number;
  /** SQL, as is `deleted`. */
  name: string;
  deleted: string;
}

async function fill(calendarId: string, { count, name, deleted }: Filling): Promise<void> {
  await db().query(
    `INSERT INTO events (id, calendar_id, event_id, summary, all_day, starts, ends, deleted_at)
SELECT 'evt_' || substr(md5($1 || i || ${name === "NULL" ? "'others'" : name} || '${deleted === "NULL"}'), 1, 24), $1, ${name}, '', false, now(), now(), ${deleted} FROM generate_series(1, $2::int) i`,
    [calendarId, count],
  );
}

async function queue({ accountId, profileId, calendarIds }: typeof own, count: number): Promise<void> {
  await db().query(
    `INSERT INTO provider_writes (event_row, calendar_id, profile_id, account_id, removed_guests, changed_fields)
SELECT id, calendar_id, $3, $4, '{}', '{}' FROM events WHERE calendar_id = $1 AND event_id LIKE 'own-%' ORDER BY id LIMIT $2`,
    [calendarIds.writable, count, profileId, accountId],
  );
}

const search = (more: WriteSearch) => (query: Query) =>
  runComposed(query, writePage, { ...more, accountId: own.accountId, limit: PAGE + 1 });
const after = () => ({ calendarId: own.calendarIds.writable, eventId: "own-2" });

describe.each([
  ["without statistics", async () => {}],
  ["with statistics", () => db().query("ANALYZE events, provider_writes, calendars, profiles, profile_syncs")],
])("%s", (_, prepare) => {
  beforeAll(prepare);

  it.each<[string, (query: Query) => Promise<unknown[]>, number, number]>([
    ["a receipt", (query) => run(query, receiptOfEvent, [own.calendarIds.writable, own.accountId, "own-7"]), 1, 12],
    [
      "a receipt of a deleted event",
      (query) => run(query, receiptOfEvent, [own.calendarIds.writable, own.accountId, "old-7"]),
      1,
      24,
    ],
    ["a first page", (query) => search({})(query), PAGE + 1, 4 * PAGE],
    ["a later page", (query) => search({ after: after() })(query), PAGE + 1, 4 * PAGE],
    ["a page of what was sent", (query) => search({ state: "sent" })(query), PAGE + 1, 4 * PAGE],
    ["what is pending", (query) => search({ state: "pending" })(query), PENDING, 8 * PENDING],
    ["what was refused", (query) => search({ state: "refused" })(query), 0, 8 * PENDING],
    ["a status", (query) => run(query, statusOfProfile, [own.profileId, own.accountId, null]), 1, 4 * PENDING],
  ])("%s reads little more than it gives", async (_name, work, rows, most) => {
    expect(await work(db().query)).toHaveLength(rows);
    expect(await rowsReadBy(work)).toBeLessThan(most);
  });
});
