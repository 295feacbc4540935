import { existsSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { db } from "@/server/db/client";
import { ownDatabase } from "../api/own-database";

ownDatabase();

const SORTED = "SELECT max(x) FROM (SELECT md5(i::text) AS x FROM generate_series(1, 2000) i ORDER BY 1 OFFSET 1) t";
const CALLS = 20;

it("the process of a connection takes its memory from the system once, and not for each statement", async () => {
  const faults = await db().transaction(async (query) => {
    const [own] = await query<{ pid: number }>("SELECT pg_backend_pid() AS pid");
    const stat = `/proc/${own?.pid}/stat`;
    expect(existsSync(stat), "PostgreSQL runs on this machine, whose system is Linux").toBe(true);
    const minorFaults = () => Number(readFileSync(stat, "utf8").split(") ").at(-1)?.split(" ")[7]);
    const sort = async () => {
      for (let call = 0; call < CALLS; call += 1) await query(SORTED);
    };
    await sort();
    const before = minorFaults();
    await sort();
    return minorFaults() - before;
  });
  expect(faults).toBeLessThan(2 * CALLS);
});
