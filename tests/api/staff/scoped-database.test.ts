import { beforeAll, describe, expect, it } from "vitest";
import { db } from "@/server/db/client";
import { scopedDatabase } from "@/server/services/staff/procedure/scoped-database";
import { type Owned, oneApplication } from "./one-application";

const SCOPE = /^a statement for a developer has no scope: /;
let ours: Owned;

beforeAll(async () => {
  ours = await oneApplication();
});

function scoped(applications: readonly string[] = [ours.application]) {
  const developer = {
    id: "opr_lin",
    email: "lin@acme.io",
    name: "Lin",
    role: "developer" as const,
    sessionId: "ses_1",
  };
  return scopedDatabase(db(), { ...developer, applications });
}

describe("the database of a developer", () => {
  it("runs no statement that names nothing of theirs, inside of transactions and through Prisma neither", async () => {
    const { query, prisma, transaction } = scoped();
    const all = "SELECT id FROM channels WHERE $1::text IS NULL";
    await expect(query(all, [null])).rejects.toThrow(SCOPE);
    await expect(query("SELECT id FROM channels")).rejects.toThrow(SCOPE);
    await expect(transaction((inner) => inner(all, [null]))).rejects.toThrow(SCOPE);
    await expect(prisma.channel.findMany()).rejects.toThrow(SCOPE);
    await expect(prisma.channel.findUnique({ where: { id: ours.channel } })).rejects.toThrow(SCOPE);
    await expect(prisma.channel.updateMany({ data: { closedBy: "delete" } })).rejects.toThrow(SCOPE);
    await expect(prisma.$queryRawUnsafe("SELECT 1")).rejects.toThrow(SCOPE);
  });

  it("runs those with the scope, also of nobody's applications, and goes on with what they find", async () => {
    const { query, prisma } = scoped();
    const applicationIds = [ours.application];
    const channels =
      "SELECT c.id FROM channels c JOIN accounts a ON a.id = c.account_id WHERE a.application_id = ANY ($1)";
    expect(await query(channels, [applicationIds])).toEqual([{ id: ours.channel }]);
    expect(await query("SELECT id FROM deliveries WHERE channel_id = $1", [ours.channel])).toEqual([
      { id: ours.delivery },
    ]);
    expect(await prisma.delivery.count({ where: { id: { in: [ours.delivery] } } })).toBe(1);
    const none: string[] = [];
    expect(await scoped(none).query(channels, [none])).toEqual([]);
    await expect(scoped(none).query(channels, [[]])).rejects.toThrow(SCOPE);
  });

  it("takes nothing out of JSON for found: what a caller sent may name anybody's", async () => {
    const { query } = scoped();
    const sent = "SELECT jsonb_build_object('id', $2::text) AS body WHERE $1::text IS NOT NULL";
    expect(await query(sent, [ours.application, ours.channel])).toEqual([{ body: { id: ours.channel } }]);
    await expect(query("SELECT id FROM deliveries WHERE channel_id = $1", [ours.channel])).rejects.toThrow(SCOPE);
  });
});
