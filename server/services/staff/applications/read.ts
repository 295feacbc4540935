import { z } from "zod";
import type { Database, Query } from "@/server/db/client";
import { run } from "@/server/db/statement";
import type { Quota } from "@/server/domain/provider-quotas";
import { text } from "@/server/services/fields";
import { staffInput } from "@/server/services/input";
import { Refusal } from "@/server/services/refusal";
import { applicationNames, applicationRows } from "@/server/services/staff/applications/applications.sql";
import type {
  ApplicationDetail,
  ApplicationName,
  ApplicationRow,
  ApplicationSecret,
} from "@/server/services/staff/applications/shapes";
import { noTraffic, trafficOf } from "@/server/services/staff/applications/traffic";
import { scopedProcedure } from "@/server/services/staff/procedure/trpc";

/** Lists only the applications' names, for a choice of one, in their order. */
export const nameApplications = scopedProcedure.query(
  async ({ ctx: { db, scope } }): Promise<ApplicationName[]> =>
    await run(db.query, applicationNames, [scope.applications]),
);

/** Lists the applications with their traffic, by name. */
export const listApplications = scopedProcedure.query(
  async ({ ctx: { db, now, scope } }): Promise<ApplicationRow[]> => await readRows(db.query, now, scope.applications),
);

/** Loads one application. Throws not_found. */
export const getApplication = scopedProcedure
  .input(staffInput(z.object({ id: text({ min: 1, max: 100 }) })))
  .query(async ({ input: { id }, ctx: { db, now, scope } }): Promise<ApplicationDetail> => {
    await scope.expect("application", id);
    const [[row], redirectUris, caldavServers, oauthClients, secrets] = await Promise.all([
      readRows(db.query, now, [id]),
      readUris(db, id),
      readServers(db, id),
      readOauthClients(db, id),
      readSecrets(db, id),
    ]);
    if (!row) throw new Refusal({ kind: "not_found" });
    return { ...row, redirectUris, caldavServers, oauthClients, secrets };
  });

async function readRows(query: Query, now: number, ids: readonly string[] | null): Promise<ApplicationRow[]> {
  const [rows, traffic] = await Promise.all([run(query, applicationRows, [ids]), trafficOf(query, now, ids)]);
  return rows.map((row) => ({
    ...row,
    createdAt: row.createdAt.toISOString(),
    disabledAt: row.disabledAt?.toISOString() ?? null,
    traffic: traffic.get(row.id) ?? noTraffic(),
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

async function readOauthClients({ prisma }: Database, id: string): Promise<ApplicationDetail["oauthClients"]> {
  const rows = await prisma.oauthClient.findMany({
    select: { provider: true, clientId: true, createdAt: true },
    where: { applicationId: id, replacedAt: null },
    orderBy: { provider: "asc" },
  });
  return rows.map(({ provider, clientId, createdAt }) => ({
    ...{ provider: provider as Quota, clientId, createdAt: createdAt.toISOString() },
  }));
}

async function readSecrets({ prisma }: Database, id: string): Promise<ApplicationSecret[]> {
  const rows = await prisma.clientSecret.findMany({
    select: { id: true, lastFour: true, createdAt: true, lastUsedAt: true, retiredAt: true, expiresAt: true },
    where: { applicationId: id },
    orderBy: [{ retiredAt: { sort: "desc", nulls: "first" } }, { createdAt: "desc" }, { id: "asc" }],
  });
  return rows.map(({ createdAt, lastUsedAt, retiredAt, expiresAt, ...secret }) => ({
    ...secret,
    createdAt: createdAt.toISOString(),
    lastUsedAt: lastUsedAt?.toISOString() ?? null,
    retiredAt: retiredAt?.toISOString() ?? null,
    expiresAt: expiresAt?.toISOString() ?? null,
  }));
}
