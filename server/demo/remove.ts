import { runOne } from "@/server/db/statement";
import { castInvitation, castOperators } from "@/server/demo/cast/applications";
import type { Installation } from "@/server/demo/installation";
import { clientIds, demoApplications, markedId } from "@/server/demo/marks";
import { dropUnknownCallers } from "@/server/demo/remove.sql";
import { staff } from "@/server/demo/staff-context";
import { hostOf } from "@/server/domain/channels/endpoint";
import type { Instant } from "@/server/domain/time/instant";
import { eraseApplications } from "@/server/store/applications/erase";

export interface RemovalCounts {
  applications: number;
  accounts: number;
  /** Entries of the audit trail about the demo. They are kept. */
  audited: number;
}

/**
 * Removes everything that the demo created, and nothing else: its applications, deleted as an admin would with
 * everything that belongs to them, then what such a deletion leaves, and people.
 */
export async function removeDemo(installation: Installation, now: number): Promise<RemovalCounts> {
  const { db } = installation;
  const { prisma } = db;
  const applications = await demoApplications(db);
  const ids = applications.map(({ id }) => id);
  const owned = { applicationId: { in: ids } };
  const accounts = await prisma.account.findMany({ select: { id: true }, where: owned });
  const accountIds = accounts.map(({ id }) => id);
  const channels = await prisma.channel.findMany({ select: { callbackUrl: true }, where: { account: owned } });
  for (const { id, name, deletedAt } of applications) {
    if (deletedAt === null) await staff(installation, now).applications.delete({ id, name });
  }
  // Does now what the running service would do within minutes.
  while (await eraseApplications(db, now as Instant, () => true));
  await prisma.requestLog.deleteMany({ where: owned });
  await prisma.requestCount.deleteMany({ where: owned });
  await prisma.requestCountByHour.deleteMany({ where: owned });
  await runOne(db.query, dropUnknownCallers, []);
  await prisma.requestCount.deleteMany({ where: { applicationId: "", requests: 0 } });
  await prisma.requestCountByHour.deleteMany({ where: { applicationId: "", requests: 0 } });
  await prisma.seenChange.deleteMany({ where: { accountId: { in: accountIds } } });
  for (const host of new Set(channels.map(({ callbackUrl }) => hostOf(callbackUrl)))) {
    const isUsed = await prisma.delivery.findFirst({ select: { id: true }, where: { host } });
    if (!isUsed) await prisma.deliveryHost.deleteMany({ where: { host } });
  }
  await prisma.operator.deleteMany({ where: { id: { in: castOperators.map(({ email }) => markedId("opr", email)) } } });
  await prisma.invitation.deleteMany({ where: { id: markedId("inv", castInvitation.email) } });
  await prisma.deletedClientId.deleteMany({ where: { clientId: { in: clientIds } } });
  const audited = await prisma.auditEntry.count({ where: { operatorId: "demo" } });
  return { applications: ids.length, accounts: accounts.length, audited };
}
