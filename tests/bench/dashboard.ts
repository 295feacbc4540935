import type { Database } from "@/server/db/client";
import { dashboardApplicationRows } from "@/tests/bench/dashboard-applications";
import { dashboardDeliveryRows } from "@/tests/bench/dashboard-deliveries";
import { seedDashboardDeliveries } from "@/tests/bench/dashboard-deliveries-seed";
import { dashboardPageRow } from "@/tests/bench/dashboard-page";
import { dashboardRequestRows } from "@/tests/bench/dashboard-requests";
import type { Row } from "@/tests/bench/measure";
import { openDatabase } from "@/tests/rig/database";

/** A database, where it is, and the server that has it. */
interface Place {
  db: Database;
  url: string;
  address: string;
}

type Measure = (place: Place, say: (text: string) => void) => Promise<Row[]>;

/** The lines about the staff's dashboard: applications, deliveries and requests, each in a database of its own on the given PostgreSQL server. */
export async function dashboardRows(address: string, say: (text: string) => void): Promise<Row[]> {
  return [
    ...(await inNewDatabase(address, ({ db }) => dashboardApplicationRows(db, say), say)),
    ...(await inNewDatabase(address, deliveryRows, say)),
    ...(await inNewDatabase(address, ({ db }) => dashboardRequestRows(db, say), say)),
  ];
}

async function deliveryRows({ db, url, address }: Place, say: (text: string) => void): Promise<Row[]> {
  await seedDashboardDeliveries(db, say);
  const page = await dashboardPageRow(address, url, say);
  return [page, ...(await dashboardDeliveryRows(db, say))];
}

async function inNewDatabase(address: string, measure: Measure, say: (text: string) => void): Promise<Row[]> {
  const database = await openDatabase(address, "almanac_bench");
  const { db } = database;
  try {
    return await measure({ db, url: database.url, address }, say);
  } finally {
    await database.close();
  }
}
