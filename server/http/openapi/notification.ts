import { notificationBody } from "@/server/domain/channels/notification";
import type { NotificationType } from "@/server/domain/channels/notification-types";
import type { Instant } from "@/server/domain/time/instant";
import { type Vocabulary, wireName } from "@/server/domain/wire-names";
import { limits } from "@/server/http/limits";
import type { OperationObject, Parameter } from "@/server/http/openapi/document-shape";
import { stableId } from "@/server/http/openapi/examples/stable";
import { reference } from "@/server/http/openapi/schemas";
import { type Wording, worded } from "@/server/http/openapi/wording";

const channel = {
  id: stableId("chn", 0),
  callbackUrl: "https://app.acme.io/calendar-changes",
  calendarIds: null,
  onlyManaged: null,
};
const since = Date.UTC(2025, 5, 1, 8, 15) as Instant;

function examples(wording: Wording) {
  const value = (type: NotificationType, at: Instant | null) =>
    worded(JSON.parse(notificationBody(type, channel, at)), wording);
  return {
    change: { summary: "A calendar changed", value: value("change", since) },
    verification: { summary: "The channel was created", value: value("verification", null) },
  };
}

/** Describes what a callback URL receives ("Webhook receiver contract"). */
export function notificationWebhook(wording: Wording): OperationObject {
  return {
    operationId: "notification",
    tags: ["Notifications"],
    summary: "Notification, sent to a channel's callback URL",
    description: `Respond with any 2xx within ${limits.response}. A 410 closes the channel. Any other response, including a redirect, is a failed attempt. Almanac makes up to ${limits.attemptsInWords} attempts: the second after ${limits.firstWait}, then after ${limits.laterWaits}, each wait extended by up to 10% at random. It gives up after the last attempt, ${limits.retried} after the first, or ${limits.delivery} after the delivery was created at the latest. Delivery is at least once: ignore a \`Svc-Delivery-Id\` that you have already handled.

Verify the signature over the raw body before you parse it. \`Svc-HMAC-SHA256\` is the base64 HMAC-SHA256 of the raw body, keyed with the client secret; while you rotate secrets it holds one comma-separated value for each active secret. \`Svc-Signature\` is keyed with the channel's \`signing_secret\`, \`whsec_\` included.

Changes within about one second are combined into one notification. Changes your application made itself are not notified.`,
    security: [],
    parameters: parameters(wording.names),
    requestBody: {
      required: true,
      content: { "application/json": { schema: { $ref: reference("Notification") }, examples: examples(wording) } },
    },
    responses: {
      "2XX": { description: "The notification was delivered." },
      "410": { description: "Closes the channel. Almanac sends no further notifications to it." },
      default: { description: "The attempt failed. Almanac retries the delivery." },
    },
  };
}

function parameters(names: Vocabulary): Parameter[] {
  const text = (name: string, required: boolean, description: string, schema = {}): Parameter => ({
    name,
    in: "header",
    required,
    description,
    schema: { type: "string", ...schema },
  });
  const hmac =
    "Base64 HMAC-SHA256 of the raw body, keyed with the client secret. Comma-separated if there are several active secrets.";
  return [
    text("Svc-HMAC-SHA256", true, hmac),
    text(
      "Svc-Signature",
      false,
      "Hex HMAC-SHA256 of `<t>.<raw body>`, keyed with the channel's whole `signing_secret`, `whsec_` included. Not sent in compatibility mode.",
      { pattern: "^t=\\d+,v1=[0-9a-f]{64}$" },
    ),
    text("Svc-Delivery-Id", true, "The id of the delivery: the same on every attempt.", { pattern: "^whd_" }),
    {
      name: "Svc-Delivery-Attempt",
      in: "header",
      required: true,
      description: "The number of the attempt, starting at 1.",
      schema: { type: "integer", minimum: 1 },
    },
    ...(names === "product"
      ? [
          text(
            `${wireName(names, "compat")}-HMAC-SHA256`,
            false,
            "Compatibility mode only: the same value as `Svc-HMAC-SHA256`.",
          ),
        ]
      : []),
  ];
}
