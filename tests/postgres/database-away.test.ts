import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { connect, type Database } from "@/server/db/client";
import { databaseFault, isPassing } from "@/server/db/faults";
import { provideEnv } from "@/server/env";
import { type CutLine, cutLine } from "@/tests/fakes/cut-line";
import { type TestDatabase, testDatabase } from "@/tests/fakes/test-database";

let database: TestDatabase;
let line: CutLine;
let db: Database;
/** Past the line. */
let near: Database;

beforeAll(async () => {
  database = await testDatabase();
  provideEnv({ DATABASE_URL: database.url, BASE_URL: "http://api.almanac.localhost" });
  line = await cutLine(database.url);
  [db, near] = [connect(line.url), connect(database.url)];
});

afterEach(() => line.restore());

afterAll(async () => {
  await Promise.all([db.close(), near.close()]);
  await line.close();
  await database.close();
});

const faultOf = (work: Promise<unknown>) =>
  work.then(
    () => "stored",
    (error) => ({ fault: databaseFault(error), isPassing: isPassing(error) }),
  );
const away = { fault: "connection_lost", isPassing: true };
const unknown = { fault: "outcome_unknown", isPassing: false };

const insert = "INSERT INTO request_tallies (id) VALUES (gen_random_uuid())";
const stored = async () => (await near.query("SELECT FROM request_tallies")).length;

describe("while the database is away", () => {
  it.each(["refused", "accepted"] as const)("nothing is stored, and everything may be tried again: %s", async (how) => {
    await line.cut(how);
    expect(await faultOf(db.query("SELECT 1"))).toEqual(away);
    expect(await faultOf(db.query(insert))).toEqual(away);
    expect(await faultOf(db.transaction((query) => query(insert)))).toEqual(away);
    expect(await faultOf(db.prisma.operator.count())).toEqual(away);
    expect(await faultOf(db.prisma.operator.deleteMany())).toEqual(away);
  });
});

describe("a connection that breaks", () => {
  it("before its transaction commits has stored nothing", async () => {
    const before = await stored();
    line.cutAt("request_tallies", "after");
    expect(await faultOf(db.transaction((query) => query(insert)))).toEqual(away);
    expect(await stored()).toBe(before);
  });

  it("while its transaction commits may have stored it", async () => {
    const before = await stored();
    line.cutAt("COMMIT", "after");
    expect(await faultOf(db.transaction((query) => query(insert)))).toEqual(unknown);
    await expect.poll(stored).toBe(before + 1);
  });

  it("before the response to a statement that writes may have stored it", async () => {
    const before = await stored();
    line.cutAt("request_tallies", "after");
    expect(await faultOf(db.query(insert))).toEqual(unknown);
    await expect.poll(stored).toBe(before + 1);
  });

  it("before the response to a write of Prisma's may have stored it", async () => {
    line.cutAt("operators", "after");
    expect(await faultOf(db.prisma.operator.deleteMany())).toEqual(unknown);
  });

  it("before the response to a read has stored nothing", async () => {
    line.cutAt("request_tallies", "after");
    expect(await faultOf(db.query("SELECT FROM request_tallies"))).toEqual(away);
    line.cutAt("operators", "after");
    expect(await faultOf(db.prisma.operator.count())).toEqual(away);
  });
});

it("a connection that breaks while it opens ends no process", async () => {
  const uncaught: unknown[] = [];
  const note = (error: unknown) => uncaught.push(error);
  process.on("uncaughtException", note);
  // What a new connection is asked before anything else.
  line.cutAt("repeat(", "after");
  const fresh = connect(line.url);
  expect(await faultOf(fresh.query("SELECT 1"))).toEqual(away);
  await fresh.close();
  process.removeListener("uncaughtException", note);
  expect(uncaught).toEqual([]);
});
