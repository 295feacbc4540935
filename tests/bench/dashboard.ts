import { resolve } from "node:path";
import { connect, type Database } from "@/server/db/client";
import { migrate } from "@/server/db/migrations";
import { dashboardApplicationRows } from "@/tests/bench/dashboard-applications";
import { dashboardDeliveryRows } from "@/tests/bench/dashboard-deliveries";
import { dashboardRequestRows } from "@/tests/bench/dashboard-requests";
import type { Row } from "@/tests/bench/measure";
import { newDatabase } from "@/tests/fakes/new-database";

type Measure = (db: Database, say: (text: string) => void) => Promise<Row[]>;

/** The lines about the staff's dashboard: applications, deliveries and requests, each in a database of its own on the given PostgreSQL server. */
export async function dashboardRows(address: string, say: (text: string) => void): Promise<Row[]> {
  return [
    ...(await inNewDatabase(address, dashboardApplicationRows, say)),
    ...(await inNewDatabase(address, dashboardDeliveryRows, say)),
    ...(await inNewDatabase(address, dashboardRequestRows, say)),
  ];
}

async function inNewDatabase(address: string, measure: Measure, say: (text: string) => void): Promise<Row[]> {
  const database = await newDatabase(address, "almanac_bench");
  const db = connect(database.url);
  try {
    await migrate(database.url, resolve("prisma/migrations"));
    return await measure(db, say);
  } finally {
    await db.close();
    await database.close();
  }
}
