import { createHmac } from "node:crypto";
import { type AlertFormat, type Facts, STAFF_SCOPE } from "@/server/domain/alerts/alerts";
import { send } from "@/server/egress/send";
import type { AlertBody } from "@/server/services/staff/alerts/message";
import { slackMessage } from "@/server/services/staff/alerts/slack";
import { teamsMessage } from "@/server/services/staff/alerts/teams";
import { noticeOf } from "@/server/services/staff/alerts/words";

const DEADLINE_MS = 5_000;

interface AlertWebhook {
  id: string;
  attempt: number;
  scope: string;
  body: AlertBody;
  createdAt: Date;
  url: string;
  secret: string;
  format: AlertFormat;
  appUrl: string;
  allowedOrigins: readonly string[];
  /** In milliseconds since 1970. */
  now: number;
}

/** Posts a message in the format of its receiver. Returns null when it was accepted, else why not. */
export async function postAlert(webhook: AlertWebhook): Promise<string | null> {
  const { url, allowedOrigins } = webhook;
  const body = JSON.stringify(contentOf(webhook));
  const headers = {
    "content-type": "application/json; charset=utf-8",
    "user-agent": "Almanac-Alerts/1",
    ...(webhook.format === "almanac" && signedHeaders(webhook, body)),
  };
  const sent = await send({ url, method: "POST", headers, body, deadlineMs: DEADLINE_MS, allowedOrigins });
  if (sent.kind === "failed") return sent.errorClass;
  return sent.status >= 200 && sent.status < 300 ? null : `HTTP ${sent.status}`;
}

/** Signs like the notifications of a channel. Slack and Teams know their webhooks by their URLs. */
function signedHeaders({ id, attempt, secret, now }: AlertWebhook, body: string) {
  const t = Math.floor(now / 1000);
  const v1 = createHmac("sha256", secret).update(`${t}.${body}`).digest("hex");
  return { "svc-signature": `t=${t},v1=${v1}`, "svc-delivery-id": id, "svc-delivery-attempt": String(attempt) };
}

/** Builds the message's body: the same bytes on every attempt. */
function contentOf(webhook: AlertWebhook): object {
  if (webhook.format === "slack") return slackMessage(noticeOf(webhook));
  if (webhook.format === "teams") return teamsMessage(noticeOf(webhook));
  return documentOf(webhook);
}

function documentOf({ id, scope, body: { kind, state, count, items }, createdAt }: AlertWebhook) {
  return {
    alert: {
      ...{ id, type: kind ?? "test", state, application_id: scope === STAFF_SCOPE ? null : scope },
      created_at: createdAt.toISOString(),
      ...{
        count,
        items: items.map(({ facts, since }) => ({ ...wireFacts(facts), since: new Date(since).toISOString() })),
      },
    },
  };
}

function wireFacts(facts: Facts) {
  if (facts.kind === "provider_down") return { provider: facts.provider, accounts: facts.mailboxes };
  const owner = { application_id: facts.applicationId, application_name: facts.applicationName };
  if (facts.kind === "account_disconnected") {
    const withdrawn = facts.withdrawn?.length ? { withdrawn_organizations: facts.withdrawn } : {};
    return { ...owner, accounts: facts.accounts, latest_account_ids: facts.latest, ...withdrawn };
  }
  if (facts.kind === "deliveries_failed") return { ...owner, failed: facts.failed };
  if (facts.kind !== "endpoint_failing") return { ...owner, requests: facts.requests, errors: facts.errors };
  return { ...owner, endpoint: facts.endpoint, channels: facts.channels, failures_in_a_row: facts.failures };
}
