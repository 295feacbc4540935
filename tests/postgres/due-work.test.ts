import { beforeEach, expect, it } from "vitest";
import { db } from "@/server/db/client";
import { run } from "@/server/db/statement";
import { type DueWork, dueWork } from "@/server/jobs/announcing.sql";
import { overdueWork } from "@/server/jobs/sweep.sql";
import { ownDatabase } from "../api/own-database";
import { seedAccount, seedApplication, seedChannels, seedDeliveries } from "../rig/seed";

ownDatabase();

const PROVIDERS = ["google", "microsoft", "icloud"];
/** The most rows that may be looked at where nothing is due. */
const FEW = 100;

interface Node {
  "Actual Rows": number;
  "Actual Loops": number;
  "Rows Removed by Filter"?: number;
  "Rows Removed by Join Filter"?: number;
  Plans?: Node[];
}

const due = async (): Promise<DueWork[]> => await run(db().query, dueWork, [null, PROVIDERS]);

let application: string;

beforeEach(async () => {
  await db().query("TRUNCATE applications CASCADE");
  application = await seedApplication(db());
});

/** So many deliveries of an application that wait for a retry, due in so many seconds. */
async function waiting(clientId: string, { count, inSeconds }: { count: number; inSeconds: number }): Promise<string> {
  const { accountId } = await seedAccount(db(), clientId);
  const channels = await seedChannels(db(), { accountId, urls: ["https://acme.io/hook"] });
  await seedDeliveries(db(), channels, count);
  const [row] = await db().query<{ id: string }>(
    "UPDATE deliveries SET waits = true, next_attempt_at = clock_timestamp() + make_interval(secs => $2) WHERE channel_id = ANY ($1) RETURNING application_id AS id",
    [channels, inSeconds],
  );
  return row?.id ?? "";
}

/** So many mailboxes at Google that are to be read in so many seconds. */
async function mailboxes({
  count,
  inSeconds,
  isFirst = false,
}: {
  count: number;
  inSeconds: number;
  isFirst?: boolean;
}) {
  const { accountId } = await seedAccount(db(), application);
  await db().query(
    `INSERT INTO profiles (id, account_id, application_id, provider, service, subject, name, initial_sync_required, credential)
SELECT 'pro_' || md5($1 || i), a.id, a.application_id, 'google', 'google', $1 || i, 'name', $3, 'sealed' FROM accounts a, generate_series(1, $2::int) i WHERE a.id = $1`,
    [accountId, count, isFirst],
  );
  await db().query(
    "UPDATE profile_syncs SET readable = true, sync_due_at = clock_timestamp() + make_interval(secs => $1) WHERE provider = 'google' AND sync_due_at IS NULL",
    [inSeconds],
  );
}

it("nothing is due where all waits", async () => {
  await waiting(application, { count: 3, inSeconds: 60 });
  await mailboxes({ count: 3, inSeconds: 60 });
  expect(await due()).toEqual([]);
});

it("an application is named once its deliveries wait no longer, and a disabled one never is, however many of its are due before", async () => {
  const other = await seedApplication(db(), "Disabled");
  const disabled = await waiting(other, { count: 1_200, inSeconds: -60 });
  const id = await waiting(application, { count: 2, inSeconds: -1 });
  await db().query("UPDATE applications SET disabled_at = now() WHERE id = $1", [disabled]);
  expect(await due()).toEqual([{ work: "deliver", key: id, lane: null, provider: null }]);
});

it("a provider has a lane for each fifty mailboxes that are due, up to eight", async () => {
  await mailboxes({ count: 50, inSeconds: -1 });
  expect(await due()).toEqual([{ work: "sync", key: "google", lane: 1, provider: null }]);
  await mailboxes({ count: 1, inSeconds: -1 });
  expect((await due()).map(({ lane }) => lane)).toEqual([1, 2]);
  await mailboxes({ count: 600, inSeconds: -1 });
  expect((await due()).map(({ lane }) => lane)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
});

it("a paused provider has none, and one that there is no way to", async () => {
  await mailboxes({ count: 1, inSeconds: -1 });
  expect(await run(db().query, dueWork, [null, ["microsoft"]])).toEqual([]);
  await db().query("INSERT INTO provider_pauses (provider, until) VALUES ('google', now() + interval '1 minute')");
  expect(await due()).toEqual([]);
  await db().query("DELETE FROM provider_pauses");
});

it("a mailbox that was never read is named by itself", async () => {
  await mailboxes({ count: 2, inSeconds: -1, isFirst: true });
  const found = await due();
  expect(found.map(({ work, provider }) => [work, provider])).toEqual([
    ["first", "google"],
    ["first", "google"],
  ]);
  expect(new Set(found.map(({ key }) => key)).size).toBe(2);
});

it.each([
  ["the look for due work", dueWork.text, [null, PROVIDERS]],
  ["the sweep", overdueWork.text, [null, 2]],
])("%s passes over what is not due", async (_, text, values) => {
  await waiting(application, { count: 20_000, inSeconds: 3_600 });
  await mailboxes({ count: 20_000, inSeconds: 3_600 });
  await db().query("VACUUM ANALYZE deliveries, profile_syncs, profiles, applications");
  const [row] = await db().query<{ "QUERY PLAN": [{ Plan: Node }] }>(
    `EXPLAIN (ANALYZE, TIMING OFF, FORMAT JSON) ${text}`,
    values,
  );
  expect(Math.max(...looks(row?.["QUERY PLAN"][0].Plan))).toBeLessThan(FEW);
});

/** The rows that each node of a plan has looked at. */
function looks(node: Node | undefined): number[] {
  if (!node) return [];
  const {
    "Actual Rows": rows,
    "Rows Removed by Filter": filtered = 0,
    "Rows Removed by Join Filter": joined = 0,
  } = node;
  return [(rows + filtered + joined) * node["Actual Loops"], ...(node.Plans ?? []).flatMap(looks)];
}
