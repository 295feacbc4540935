import { z } from "zod";
import type { Database, Query } from "@/server/db/client";
import { run } from "@/server/db/statement";
import { text } from "@/server/services/fields";
import { Refusal } from "@/server/services/refusal";
import { applicationNames, applicationRows } from "@/server/services/staff/applications/applications.sql";
import type {
  ApplicationDetail,
  ApplicationName,
  ApplicationRow,
  ApplicationSecret,
} from "@/server/services/staff/applications/shapes";
import { quiet, trafficOf } from "@/server/services/staff/applications/traffic";
import { staffInput } from "@/server/services/staff/procedure/staff-input";
import { staffProcedure } from "@/server/services/staff/procedure/trpc";

/** Every application, by name, and nothing else of it: what a choice of one needs. */
export const nameApplications = staffProcedure.query(
  async ({ ctx: { db } }): Promise<ApplicationName[]> => await run(db.query, applicationNames),
);

/** Every application, by name, with its traffic. */
export const listApplications = staffProcedure.query(
  async ({ ctx: { db, now } }): Promise<ApplicationRow[]> => await readRows(db.query, now, null),
);

/** One application. Throws not_found. */
export const getApplication = staffProcedure
  .input(staffInput(z.object({ id: text({ min: 1, max: 100 }) })))
  .query(async ({ input: { id }, ctx: { db, now } }): Promise<ApplicationDetail> => {
    const [[row], redirectUris, caldavServers, secrets] = await Promise.all([
      readRows(db.query, now, id),
      readUris(db, id),
      readServers(db, id),
      readSecrets(db, id),
    ]);
    if (!row) throw new Refusal({ kind: "not_found" });
    return { ...row, redirectUris, caldavServers, secrets };
  });

async function readRows(query: Query, now: number, id: string | null): Promise<ApplicationRow[]> {
  const [rows, traffic] = await Promise.all([run(query, applicationRows, [id]), trafficOf(query, now, id)]);
  return rows.map((row) => ({
    ...row,
    createdAt: row.createdAt.toISOString(),
    traffic: traffic.get(row.id) ?? quiet(),
  }));
}

async function readUris({ prisma }: Database, id: string): Promise<ApplicationDetail["redirectUris"]> {
  const rows = await prisma.redirectUri.findMany({
    where: { applicationId: id },
    orderBy: [{ createdAt: "asc" }, { uri: "asc" }],
  });
  return rows.map(({ uri, createdAt }) => ({ uri, createdAt: createdAt.toISOString() }));
}

async function readServers({ prisma }: Database, id: string): Promise<ApplicationDetail["caldavServers"]> {
  const rows = await prisma.caldavServer.findMany({
    select: { id: true, name: true, url: true, help: true, createdAt: true },
    where: { applicationId: id },
    orderBy: [{ createdAt: "asc" }, { id: "asc" }],
  });
  return rows.map(({ createdAt, ...server }) => ({ ...server, createdAt: createdAt.toISOString() }));
}

async function readSecrets({ prisma }: Database, id: string): Promise<ApplicationSecret[]> {
  const rows = await prisma.clientSecret.findMany({
    select: { id: true, lastFour: true, createdAt: true, lastUsedAt: true, retiredAt: true },
    where: { applicationId: id },
    orderBy: [{ retiredAt: { sort: "desc", nulls: "first" } }, { createdAt: "desc" }, { id: "asc" }],
  });
  return rows.map(({ createdAt, lastUsedAt, retiredAt, ...secret }) => ({
    ...secret,
    createdAt: createdAt.toISOString(),
    lastUsedAt: lastUsedAt?.toISOString() ?? null,
    retiredAt: retiredAt?.toISOString() ?? null,
  }));
}
