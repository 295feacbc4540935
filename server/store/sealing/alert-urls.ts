import type { Database } from "@/server/db/client";
import { seal, unseal } from "@/server/db/sealed";

/** The destination of a scope's alerts, as it is stored. */
export interface StoredAlertUrl {
  scope: string;
  /** In clear, as an earlier version writes it. */
  webhookUrl: string | null;
  sealedUrl: string | null;
  /** Null: there is no webhook. */
  sealedSecret: string | null;
}

export function alertUrlPlace(scope: string) {
  return { table: "alert_targets", column: "sealed_url", row: scope } as const;
}

/** Returns the URL of a scope's webhook; null: it has none. */
export function alertUrlOf(target: StoredAlertUrl | null | undefined): string | null {
  if (!target?.sealedSecret) return null;
  const { scope, webhookUrl, sealedUrl } = target;
  return webhookUrl || (sealedUrl && unseal(sealedUrl, alertUrlPlace(scope)));
}

/** Seals the URLs that an earlier version wrote in clear: many receivers keep a secret in the path. */
export async function sealAlertUrls({ prisma }: Database): Promise<void> {
  const clear = await prisma.alertTarget.findMany({ where: { webhookUrl: { not: null } } });
  for (const { scope, webhookUrl } of clear) {
    const sealedUrl = webhookUrl && seal(webhookUrl, alertUrlPlace(scope));
    await prisma.alertTarget.updateMany({ where: { scope, webhookUrl }, data: { webhookUrl: null, sealedUrl } });
  }
}
