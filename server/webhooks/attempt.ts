import { clock } from "@/server/clock";
import type { Database } from "@/server/db/client";
import { answerHeaders } from "@/server/domain/channels/answer-headers";
import { MOST_ATTEMPTS } from "@/server/domain/channels/schedule";
import { type Outcome as Sent, send } from "@/server/egress/send";
import { log } from "@/server/log";
import { meters } from "@/server/meters";
import { bodyWithChanges } from "@/server/webhooks/changes-sent";
import type { DeliveryClaim } from "@/server/webhooks/claim";
import type { Outcome, Verdict } from "@/server/webhooks/outcomes";
import { opened } from "@/server/webhooks/secrets";
import { signedHeaders } from "@/server/webhooks/sign";

/**
 * "Webhook response time: 5 seconds" ("Limits"): for name resolution, connection, TLS and the response's headers
 * together.
 */
export const ATTEMPT_DEADLINE_MS = 5_000;
const GONE = 410;

/**
 * Signs a claimed delivery, posts it once, and returns the outcome. Never throws: an internal error is a failed attempt
 * too.
 */
export async function attempt(
  db: Database,
  claimed: DeliveryClaim,
  allowedOrigins: readonly string[],
): Promise<Outcome> {
  const outcome = await posted(db, claimed, allowedOrigins);
  const { verdict, status, errorClass, durationMs } = outcome;
  const reason = errorClass ?? `${Math.floor((status ?? 0) / 100)}xx`;
  meters()?.attempt({ outcome: verdict === "again" ? "retried" : verdict, reason, ms: durationMs });
  return outcome;
}

async function posted(db: Database, claimed: DeliveryClaim, allowedOrigins: readonly string[]): Promise<Outcome> {
  const startedAt = clock().now();
  const { id, lease, attempt: number, scheduled, byStaff, channelId } = claimed;
  const about = { id, lease, attempt: number, scheduled, manual: byStaff, channelId, startedAt };
  try {
    const body = claimed.saysChanges ? await bodyWithChanges(db, claimed) : claimed.body;
    const sent = await send({
      url: claimed.callbackUrl,
      method: "POST",
      headers: headersOf({ ...claimed, body }, startedAt),
      body,
      deadlineMs: ATTEMPT_DEADLINE_MS,
      allowedOrigins,
    });
    return { verdict: verdictOf(sent, claimed), ...about, ...facts(sent) };
  } catch (error) {
    log({ module: "webhooks" }).error(
      { deliveryId: id, attempt: number, err: error },
      "a delivery could not be attempted",
    );
    const durationMs = clock().now() - startedAt;
    return { address: null, durationMs, errorClass: "internal", verdict: again(claimed), ...about, ...nothing };
  }
}

function headersOf(claimed: DeliveryClaim, now: number): Record<string, string> {
  const { id, attempt, body, compatibilityMode, signature } = claimed;
  return signedHeaders({
    deliveryId: id,
    attempt,
    body,
    compatibilityMode,
    signature,
    now,
    clientSecrets: claimed.clientSecrets.map((secret) =>
      opened(secret.sealed, { table: "client_secrets", column: "sealed", row: secret.id }),
    ),
    channelSecret: opened(claimed.sealedSecret, { table: "channels", column: "sealed_secret", row: claimed.channelId }),
  });
}

function verdictOf(sent: Sent, claimed: DeliveryClaim): Verdict {
  if (sent.kind === "answered" && sent.status >= 200 && sent.status < 300) return "delivered";
  if (sent.kind === "answered" && sent.status === GONE) return "gone";
  return again(claimed);
}

/** Schedules another attempt, unless it was the tenth. One outside the schedule doesn't count. */
function again({ scheduled, manual }: DeliveryClaim): Verdict {
  return manual || scheduled < MOST_ATTEMPTS ? "again" : "failed";
}

const nothing = { status: null, responseHeaders: null, responseBody: null };

function facts(sent: Sent) {
  const { address, durationMs } = sent;
  if (sent.kind === "failed") return { address, durationMs, errorClass: sent.errorClass, ...nothing };
  return {
    address,
    durationMs,
    status: sent.status,
    errorClass: null,
    responseHeaders: answerHeaders(sent.headers),
    responseBody: text(sent.body),
  };
}

/** Decodes a body to text that PostgreSQL can store. */
function text(body: Buffer): string {
  return body.toString("utf8").replaceAll("\u0000", "\ufffd");
}
