import type { Prisma } from "@/server/db/generated/client";
import { newSigningSecret } from "@/server/db/new-id";
import { seal } from "@/server/db/sealed";
import { markedId } from "@/server/demo/marks";
import type { Month } from "@/server/demo/month/month";
import { HOUR_MS } from "@/server/demo/month/time";
import type { AlertKind, AlertState, Facts } from "@/server/domain/alerts/alerts";
import { sealedAlertSecret } from "@/server/services/staff/alerts/send";

/** Stores Lumen's alert rules, with a webhook at a nonexistent host, and the alerts of this month. */
export async function fillAlerts({ db: { prisma }, now, applications }: Month): Promise<void> {
  const scope = applications.lumen;
  const webhookUrl = "https://ops.lumen-crm.example/almanac-alerts";
  const sealedSecret = seal(newSigningSecret(), sealedAlertSecret(scope));
  await prisma.alertTarget.create({ data: { scope, emails: [], webhookUrl, sealedSecret } });
  const kinds: AlertKind[] = ["endpoint_failing", "account_disconnected"];
  await prisma.alertRule.createMany({
    data: kinds.map((kind) => ({ scope, kind, email: false, webhook: true, quietMinutes: 1_440 })),
  });
  const owner = { applicationId: scope, applicationName: "Lumen CRM" };
  const endpoint = "legacy.lumen-crm.example/calendar-sync";
  const failing: Facts = { kind: "endpoint_failing", endpoint, channels: 3, failures: 7, ...owner };
  const cut: Facts = { kind: "account_disconnected", accounts: 1, latest: [], ...owner };
  const message = (hoursAgo: number, facts: Facts, state: AlertState, place: number) => ({
    ...{ id: markedId("alm", `${facts.kind} ${place}`), scope, way: "webhook", attempts: 1 },
    body: json({ kind: facts.kind, state, count: 1, items: [{ facts, since: now - hoursAgo * HOUR_MS }] }),
    ...{ createdAt: new Date(now - hoursAgo * HOUR_MS), sentAt: new Date(now - hoursAgo * HOUR_MS + 900) },
  });
  await prisma.alertMessage.createMany({
    data: [
      ...[message(21.2 * 24, failing, "began", 1), message(21 * 24, failing, "resolved", 2)],
      ...[message(140, cut, "began", 3), message(7.3, failing, "began", 4)],
    ],
  });
  const known = {
    scope,
    announced: true,
    notifiedAt: new Date(now - 7.3 * HOUR_MS),
    since: new Date(now - 7.4 * HOUR_MS),
  };
  await prisma.alert.createMany({
    data: [
      { ...known, kind: failing.kind, subject: `${scope} ${endpoint}`, facts: json(failing) },
      { ...known, kind: cut.kind, subject: scope, facts: json(cut) },
    ],
  });
}

function json(value: object): Prisma.InputJsonObject {
  return value as Prisma.InputJsonObject;
}
