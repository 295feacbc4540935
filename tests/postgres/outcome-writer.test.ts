import { createServer, connect as dial, type Server } from "node:net";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { connect, type Database } from "@/server/db/client";
import { provideEnv } from "@/server/env";
import { outcomeWriter } from "@/server/webhooks/outcome-writer";
import type { Outcome } from "@/server/webhooks/outcomes";
import { freePort } from "@/tests/fakes/free-port";
import { testDatabase } from "@/tests/fakes/test-database";
import { seedAccount, seedApplication, seedChannels, seedDeliveries } from "@/tests/rig/seed";

let database: Awaited<ReturnType<typeof testDatabase>>;
let db: Database;

beforeAll(async () => {
  database = await testDatabase();
  // Vite puts its own BASE_URL into the environment of every test.
  provideEnv({ DATABASE_URL: database.url, BASE_URL: "http://api.almanac.localhost", LOG_LEVEL: "fatal" });
  db = connect(database.url);
});

afterAll(async () => {
  await db.close();
  await database.close();
});

/** The server of tests, at another port, as long as it is open. */
async function opened(port: number): Promise<Server> {
  const { hostname, port: behind } = new URL(database.url);
  const server = createServer((client) => {
    const upstream = dial(Number(behind || 5432), hostname);
    client.pipe(upstream).pipe(client);
    client.on("error", () => upstream.destroy());
    upstream.on("error", () => client.destroy());
  });
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  return server;
}

it("what a receiver has answered is kept until the database is there again, however often that is tried", async () => {
  const { accountId } = await seedAccount(db, await seedApplication(db));
  const channels = await seedChannels(db, { accountId, urls: ["https://h.acme.io/hook"] });
  await seedDeliveries(db, channels, 1);
  const [claimed] = await db.query<{ id: string; channelId: string }>(
    `UPDATE deliveries SET lease = 'l', leased_until = now() + interval '1 minute', attempts = 1 RETURNING id, channel_id AS "channelId"`,
  );
  if (!claimed) throw new Error("nothing was claimed");
  const port = await freePort();
  const away = connect(Object.assign(new URL(database.url), { port }).href);
  const asked = vi.fn(() => away);
  const outcome: Outcome = {
    ...{ ...claimed, lease: "l", attempt: 1, scheduled: 1, manual: false, errorClass: null, address: null },
    ...{ verdict: "delivered", status: 200, startedAt: Date.now(), durationMs: 3 },
    ...{ responseHeaders: null, responseBody: null },
  };
  const stored = outcomeWriter(asked, 1).store(outcome);
  await expect.poll(() => asked.mock.calls.length).toBeGreaterThan(100);
  const server = await opened(port);
  await stored;
  await away.close();
  server.close();
  expect(await db.query("SELECT state FROM deliveries WHERE id = $1", [claimed.id])).toEqual([{ state: "delivered" }]);
  expect(await db.query("SELECT status FROM attempts WHERE delivery_id = $1", [claimed.id])).toEqual([{ status: 200 }]);
});
