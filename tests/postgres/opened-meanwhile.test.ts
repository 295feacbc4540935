import { expect, it } from "vitest";
import { type Database, db, type Query } from "@/server/db/client";
import { newId } from "@/server/db/new-id";
import { putSignal } from "@/server/store/channels/outbox";
import { fanOut } from "@/server/webhooks/fan-out";
import { ownDatabase } from "../api/own-database";
import { seedAccount, seedApplication } from "../rig/seed";

// Vite puts its own BASE_URL into the environment of every test.
ownDatabase(() => ({ BASE_URL: "http://api.almanac.localhost" }));

it("a channel that is opened while signals of its account are taken gets its verification", async () => {
  const { accountId } = await seedAccount(db(), await seedApplication(db()));
  const first = await open(accountId);
  let second: string | undefined;
  const meanwhile: Database = {
    ...db(),
    transaction: (work) =>
      db().transaction((query, prisma) =>
        work(async <Row extends object>(text: string, values?: readonly unknown[]) => {
          const rows = await query<Row>(text, values);
          if (!second && /payload FROM|FROM channels/.test(text)) second = await open(accountId);
          return rows;
        }, prisma),
      ),
  };
  await fanOut(meanwhile);
  await fanOut(db());
  const made = await db().query<{ channel_id: string; type: string }>(
    "SELECT channel_id, type FROM deliveries WHERE account_id = $1 ORDER BY created_at, id",
    [accountId],
  );
  expect(made).toEqual([first, second].map((channel_id) => ({ channel_id, type: "verification" })));
});

/** A channel with its verification on the way, as POST /v1/channels leaves them. */
async function open(accountId: string): Promise<string> {
  const id = newId("chn");
  await db().transaction(async (query: Query) => {
    await query("INSERT INTO channels (id, account_id, callback_url, sealed_secret) VALUES ($1, $2, $3, '')", [
      id,
      accountId,
      "https://hooks.acme.io/cb",
    ]);
    await putSignal(query, { kind: "verification", accountId, subject: id, payload: {} });
  });
  return id;
}
