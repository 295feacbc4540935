import type { Database } from "@/server/db/client";
import { unseal } from "@/server/db/sealed";
import { run, runOne } from "@/server/db/statement";
import { type AlertFormat, STAFF_SCOPE } from "@/server/domain/alerts/alerts";
import type { Instant } from "@/server/domain/time/instant";
import { isMailConfigured, MailFailure, sendMail } from "@/server/egress/mail";
import { env } from "@/server/env";
import { log } from "@/server/log";
import { meters } from "@/server/meters";
import { type ClaimedMessage, claimMessages, developerEmails } from "@/server/services/staff/alerts/alerts.sql";
import { postAlert } from "@/server/services/staff/alerts/webhook";
import { emailOf } from "@/server/services/staff/alerts/words";
import { alertUrlOf } from "@/server/store/sealing/alert-urls";

/** Longer than any attempt. */
const ATTEMPT_S = 120;
const MINUTE_MS = 60_000;
/** The waits after each failed attempt; after the last one the message is given up. */
const WAITS_MS = [1, 5, 15, 60].map((minutes) => minutes * MINUTE_MS);

/** Sends the due messages, or only one. Returns the errors of those that could not be sent. */
export async function sendAlerts(db: Database, now: Instant, only: string | null = null): Promise<string[]> {
  const errors: string[] = [];
  for (;;) {
    const claimed = await run(db.query, claimMessages, [new Date(now), ATTEMPT_S, only]);
    if (claimed.length === 0) return errors;
    for (const message of claimed) {
      const error = await sendMessage(db, message, now);
      meters()?.alertMessage({ way: message.way, result: error === null ? "sent" : "failed" });
      if (error !== null) errors.push(error);
      const wait = error === null ? undefined : WAITS_MS[message.attempt - 1];
      // Null: the message was sent or given up.
      const dueAt = wait === undefined ? null : new Date(now + wait);
      const sentAt = error === null ? new Date(now) : null;
      const where = { id: message.id, attempts: message.attempt };
      await db.prisma.alertMessage.updateMany({ where, data: { dueAt, error, sentAt } });
    }
    if (only !== null) return errors;
  }
}

/** Sends one message. Returns null when it was sent, else a short reason, without the server's own words. */
async function sendMessage(db: Database, message: ClaimedMessage, now: number): Promise<string | null> {
  try {
    return message.way === "email" ? await sendEmail(db, message) : await sendWebhook(db, message, now);
  } catch (error) {
    if (error instanceof MailFailure) return error.message;
    log({ module: "alerts" }).error({ err: error, messageId: message.id }, "an alert could not be sent");
    return "internal error";
  }
}

async function sendEmail(db: Database, { id, scope, body }: ClaimedMessage): Promise<string | null> {
  if (!isMailConfigured()) return "email is not set up";
  const to = await recipients(db, scope);
  if (to.length === 0) return "nobody to send it to";
  await sendMail({ to, messageId: id, ...emailOf({ body, scope, appUrl: env().APP_URL }) });
  return null;
}

/** Loads the recipients of a scope's emails: for an application its developers. */
export async function recipients(db: Database, scope: string): Promise<string[]> {
  if (scope !== STAFF_SCOPE) return (await runOne(db.query, developerEmails, [scope])).emails;
  const target = await db.prisma.alertTarget.findUnique({ select: { emails: true }, where: { scope } });
  return target?.emails ?? [];
}

async function sendWebhook(db: Database, message: ClaimedMessage, now: number): Promise<string | null> {
  const { scope } = message;
  const target = await db.prisma.alertTarget.findUnique({ where: { scope } });
  const url = alertUrlOf(target);
  if (!url || !target?.sealedSecret) return "no webhook URL";
  const secret = unseal(target.sealedSecret, sealedAlertSecret(scope));
  const { CALLBACK_ALLOWED_ORIGINS: allowedOrigins, APP_URL: appUrl } = env();
  const format = target.webhookFormat as AlertFormat;
  return await postAlert({ ...message, url, secret, format, appUrl, allowedOrigins, now });
}

export function sealedAlertSecret(scope: string) {
  return { table: "alert_targets", column: "sealed_secret", row: scope } as const;
}
