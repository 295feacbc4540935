import { afterAll, expect, it } from "vitest";
import { connect } from "@/server/db/client";

const db = connect(process.env.DATABASE_URL);
afterAll(() => db.close());

it("a connection that the server ends inside a transaction fails that work, and nothing else", async () => {
  const uncaught: unknown[] = [];
  const note = (error: unknown) => uncaught.push(error);
  process.on("uncaughtException", note);
  const failed = db.transaction(async (query) => {
    const [self] = await query<{ pid: number }>("SELECT pg_backend_pid() AS pid");
    await db.query("SELECT pg_terminate_backend($1)", [self?.pid]);
    await query("SELECT pg_sleep(5)");
  });
  await expect(failed).rejects.toThrow();
  expect(await db.query("SELECT 1 AS one")).toEqual([{ one: 1 }]);
  process.removeListener("uncaughtException", note);
  expect(uncaught).toEqual([]);
});
