import { randomUUID } from "node:crypto";
import { newId } from "@/server/db/new-id";
import type { FilledAccount } from "@/server/demo/month/accounts";
import type { Month } from "@/server/demo/month/month";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "@/server/demo/month/time";
import type { AuthorizationOutcome, MicrosoftKey } from "@/server/domain/delegations";
import { sealKey } from "@/server/store/delegations/delegations";

const CALLBACK_URL = "https://northwind.example/calendar/mailboxes";

/** Results with how many hours ago, what came of the callback, and whether it is over. */
const results: readonly [AuthorizationOutcome, number, { attempts: number; status: number | null; isTold: boolean }][] =
  [
    ["authorized", 2, { attempts: 1, status: 200, isTold: true }],
    ["authorized", 3, { attempts: 2, status: 503, isTold: false }],
    ["suspended", 20, { attempts: 1, status: 200, isTold: true }],
    ["out_of_reach", 26, { attempts: 1, status: 200, isTold: true }],
    ["no_mailbox", 49, { attempts: 10, status: 404, isTold: false }],
  ];

/** Stores two organizations of an application, one of which has withdrawn its key, and mailboxes that it asked for. They open nothing. */
export async function fillOrganizations({ db, now, applications }: Month, accounts: readonly FilledAccount[]) {
  const applicationId = applications.northwind;
  for (const { domains, withdrawnAt } of [
    { domains: ["northwind.example"], withdrawnAt: null },
    { domains: ["contoso.example"], withdrawnAt: new Date(now - 5 * HOUR_MS) },
  ]) {
    const id = newId("dlg");
    const key: MicrosoftKey = {
      ...{ provider: "microsoft", tenant: randomUUID(), clientId: randomUUID(), proof: { secret: randomUUID() } },
    };
    await db.prisma.delegation.create({
      select: { id: true },
      data: {
        ...{ id, applicationId, provider: "microsoft", sealed: sealKey(id, key), client: key.clientId },
        ...{ tenant: key.tenant, domains, addresses: [], createdAt: new Date(now - 21 * DAY_MS), withdrawnAt },
      },
    });
  }
  const own = accounts.filter((account) => account.applicationId === applicationId);
  await db.prisma.serviceAccountAuthorization.createMany({
    data: results.map(([outcome, hoursAgo, { attempts, status, isTold }], index) => {
      const createdAt = new Date(now - hoursAgo * HOUR_MS);
      const isWaiting = !isTold && attempts < 10;
      return {
        ...{
          id: newId("saa"),
          applicationId,
          email: `person-${index + 1}@northwind.example`,
          callbackUrl: CALLBACK_URL,
        },
        ...{ createdAt, outcome, accountId: outcome === "authorized" ? (own[index]?.id ?? null) : null, attempts },
        ...{ lastStatus: status, toldAt: isTold ? new Date(createdAt.getTime() + MINUTE_MS) : null },
        // Long after anybody looks: nobody is told.
        dueAt: isWaiting ? new Date(now + 30 * DAY_MS) : null,
      };
    }),
  });
}
