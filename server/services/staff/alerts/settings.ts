import { z } from "zod";
import { newSigningSecret } from "@/server/db/new-id";
import { seal } from "@/server/db/sealed";
import { run } from "@/server/db/statement";
import {
  type AlertFormat,
  type AlertWay,
  alertFormats,
  alertKinds,
  QUIET_MINUTES,
} from "@/server/domain/alerts/alerts";
import { thresholdFault, thresholdsOf } from "@/server/domain/alerts/thresholds";
import { checkCallbackUrl } from "@/server/domain/channels/callback-url";
import { hostOf } from "@/server/domain/channels/endpoint";
import { isMailConfigured } from "@/server/egress/mail";
import { env } from "@/server/env";
import { refused, text } from "@/server/services/fields";
import { lockTarget, upsertRules } from "@/server/services/staff/alerts/alerts.sql";
import type { AlertBody } from "@/server/services/staff/alerts/message";
import { recipients, sealedAlertSecret } from "@/server/services/staff/alerts/send";
import type { AlertSettings, MessageRow, SavedAlerts } from "@/server/services/staff/alerts/shapes";
import { audit } from "@/server/services/staff/audit/audit";
import type { OperatorContext } from "@/server/services/staff/procedure/staff-context";
import { alertUrlOf, alertUrlPlace } from "@/server/store/sealing/alert-urls";

const LONGEST_URL = 2_048;
const MOST_EMAILS = 20;
const MOST_MESSAGES = 10;

const email = text({ min: 1, max: 254 }).check(({ value, issues }) => {
  if (/^[^\s@<>,;"]+@[^\s@<>,;"]+$/.test(value)) return;
  issues.push(refused(value, { key: "errors.invalid_email" }, "must be an email address"));
});
const url = text({ max: LONGEST_URL }).check(({ value, issues }) => {
  if (value === "" || checkCallbackUrl(value, env().CALLBACK_ALLOWED_ORIGINS) === null) return;
  issues.push(refused(value, { key: "errors.invalid_callback_url" }, "must be an https URL of a public host"));
});
const rule = z
  .object({
    kind: z.enum(alertKinds),
    email: z.boolean(),
    webhook: z.boolean(),
    quietMinutes: z.int().min(QUIET_MINUTES.least).max(QUIET_MINUTES.most),
    threshold: z.number().nullable().default(null),
    leastRequests: z.number().nullable().default(null),
  })
  .check(({ value, issues }) => {
    const fault = thresholdFault(value.kind, value);
    if (!fault) return;
    issues.push({ ...refused(value, { key: "errors.invalid" }, fault.words), path: [fault.field] });
  });

/** The settings that can be changed. An empty URL removes the webhook. */
export const alertInput = {
  webhookUrl: url,
  webhookFormat: z.enum(alertFormats).default("almanac"),
  rules: z.array(rule).max(alertKinds.length),
};
export const staffAlertInput = { ...alertInput, emails: z.array(email).max(MOST_EMAILS) };

type Context = Pick<OperatorContext, "db">;

export async function readAlerts({ db }: Context, scope: string): Promise<AlertSettings> {
  const { prisma } = db;
  const [target, rules, messages, emails] = await Promise.all([
    prisma.alertTarget.findUnique({ where: { scope } }),
    prisma.alertRule.findMany({ where: { scope } }),
    prisma.alertMessage.findMany({ where: { scope }, orderBy: { createdAt: "desc" }, take: MOST_MESSAGES }),
    recipients(db, scope),
  ]);
  const off = { email: false, webhook: false, quietMinutes: QUIET_MINUTES.byDefault };
  return {
    rules: alertKinds.map((kind) => {
      const stored = rules.find((one) => one.kind === kind);
      const { email, webhook, quietMinutes } = stored ?? off;
      return { kind, email, webhook, quietMinutes, ...thresholdsOf(kind, stored ?? {}) };
    }),
    emails,
    webhookUrl: alertUrlOf(target),
    webhookFormat: (target?.webhookFormat ?? "almanac") as AlertFormat,
    isMailConfigured: isMailConfigured(),
    messages: messages.map(messageRow),
  };
}

type StoredMessage = Awaited<ReturnType<OperatorContext["db"]["prisma"]["alertMessage"]["findMany"]>>[number];

function messageRow({ id, way, body, createdAt, sentAt, error, dueAt }: StoredMessage): MessageRow {
  const { kind, state, count } = body as unknown as AlertBody;
  return {
    ...{ id, way: way as AlertWay, kind, state, count, error, isPending: dueAt !== null },
    createdAt: createdAt.toISOString(),
    sentAt: sentAt?.toISOString() ?? null,
  };
}

interface AlertsToSave {
  emails?: readonly string[];
  webhookUrl: string;
  webhookFormat: AlertFormat;
  rules: readonly z.output<typeof rule>[];
}

/** Saves the alert settings of a scope. A webhook with a new URL or format gets a new secret. */
export async function saveAlerts(ctx: OperatorContext, scope: string, given: AlertsToSave): Promise<SavedAlerts> {
  const { emails = [], webhookUrl, webhookFormat, rules } = given;
  return await ctx.db.transaction(async (query, prisma) => {
    const [stored] = await run(query, lockTarget, [scope]);
    const isSame = webhookUrl !== "" && alertUrlOf(stored) === webhookUrl && stored?.format === webhookFormat;
    const secret = isSame || webhookUrl === "" ? null : newSigningSecret();
    const sealed = isSame ? stored?.sealedSecret : secret && seal(secret, sealedAlertSecret(scope));
    const sealedUrl = webhookUrl === "" ? null : seal(webhookUrl, alertUrlPlace(scope));
    const target = { emails: [...emails], sealedUrl, sealedSecret: sealed ?? null, webhookFormat };
    await prisma.alertTarget.upsert({
      select: { scope: true },
      where: { scope },
      create: { scope, ...target },
      update: { ...target, webhookUrl: null },
    });
    await run(query, upsertRules, [scope, JSON.stringify(rules)]);
    const on = rules.filter((one) => one.email || one.webhook).map(({ kind }) => kind);
    const webhook = webhookUrl === "" ? "" : hostOf(webhookUrl);
    const detail = { on, emails, webhook, format: webhookFormat };
    await audit(prisma, ctx, { action: "alerts.changed", object: scope, detail });
    return { secret: webhookFormat === "almanac" ? secret : null };
  });
}

/** Returns the configured channels of a scope. */
export async function waysOf({ db }: Context, scope: string): Promise<AlertWay[]> {
  const [emails, target] = await Promise.all([
    recipients(db, scope),
    db.prisma.alertTarget.findUnique({ where: { scope } }),
  ]);
  const ways: AlertWay[] = [];
  if (emails.length > 0 && isMailConfigured()) ways.push("email");
  if (alertUrlOf(target) !== null) ways.push("webhook");
  return ways;
}
