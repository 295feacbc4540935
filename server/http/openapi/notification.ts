import { notificationBody, triggerNotificationBody } from "@/server/domain/channels/notification";
import type { NotificationType } from "@/server/domain/channels/notification-types";
import type { Instant } from "@/server/domain/time/instant";
import { type Vocabulary, wireName } from "@/server/domain/wire-names";
import { limits } from "@/server/http/limits";
import type { OperationObject, Parameter } from "@/server/http/openapi/document-shape";
import { known } from "@/server/http/openapi/examples/example";
import { stableId } from "@/server/http/openapi/examples/stable";
import { reference } from "@/server/http/openapi/schemas";
import { type Wording, worded } from "@/server/http/openapi/wording";
import type { ShownChange } from "@/server/store/changes/shown-change";

const channel = {
  id: known.channelId,
  callbackUrl: "https://app.acme.io/calendar-changes",
  calendarIds: null,
  onlyManaged: null,
};
const since = Date.UTC(2025, 5, 1, 8, 15) as Instant;

const changes: ShownChange[] = [
  {
    id: "chg_4711",
    kind: "updated",
    calendar_id: known.calendarId,
    event_uid: stableId("evt", 0),
    event_id: "quarterly-review",
    fields: ["start", "end"],
    by: "others",
    at: "2025-06-01T08:15:12Z",
  },
];
const refused = {
  calendar_id: known.calendarId,
  event_uid: stableId("evt", 0),
  event_id: "quarterly-review",
  reason: "too_large",
};
const fired = { triggerId: known.triggerId, eventUid: stableId("evt", 0), isLate: false };

function examples(wording: Wording) {
  const value = (body: string) => worded(JSON.parse(body), wording);
  const ofType = (type: NotificationType, at: Instant | null, more = {}) =>
    value(notificationBody(type, channel, at, more));
  return {
    change: { summary: "A calendar changed", value: ofType("change", since) },
    changes: {
      summary: "A calendar changed, with what changed (`payload` `changes`)",
      value: ofType("change", since, { changes }),
    },
    verification: { summary: "The channel was created", value: ofType("verification", null) },
    trigger: { summary: "The time of a trigger has come", value: value(triggerNotificationBody(fired)) },
    write_refused: {
      summary: "A provider refused an event (`write_refused`)",
      value: ofType("write_refused", null, refused),
    },
  };
}

/** Describes what a callback URL receives ("Webhook receiver contract"). */
export function notificationWebhook(wording: Wording): OperationObject {
  return {
    operationId: "notification",
    tags: ["Notifications"],
    summary: "Notification, sent to a channel's callback URL",
    description: `Respond with any 2xx within ${limits.response}. A 410 closes the channel. Any other response, including a redirect, is a failed attempt. Almanac makes up to ${limits.attemptsInWords} attempts: the second after ${limits.firstWait}, then after ${limits.laterWaits}, each wait extended by up to 10% at random. It gives up after the last attempt, ${limits.retried} after the first, or ${limits.delivery} after the delivery was created at the latest. Delivery is at least once: ignore a \`Svc-Delivery-Id\` that you have already handled.

Verify \`Svc-Signature\` over the raw body before you parse it. It is keyed with the channel's \`signing_secret\`, \`whsec_\` included. \`Svc-HMAC-SHA256\`, keyed with the client secret, is for compatibility mode, which has no \`Svc-Signature\`.

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

const STANDARD = "Only on channels with `signature` `standard_webhooks`.";

function parameters(names: Vocabulary): Parameter[] {
  const text = (name: string, required: boolean, description: string, schema = {}): Parameter => ({
    name,
    in: "header",
    required,
    description,
    schema: { type: "string", ...schema },
  });
  const hmac =
    "For compatibility mode: base64 HMAC-SHA256 of the raw body, keyed with the client secret. Comma-separated if there are several active secrets.";
  return [
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
    text("Svc-HMAC-SHA256", true, hmac),
    text("webhook-id", false, `${STANDARD} The id of the delivery.`, { pattern: "^whd_" }),
    text("webhook-timestamp", false, `${STANDARD} When the attempt was sent, in seconds since 1970.`, {
      pattern: "^\\d+$",
    }),
    text(
      "webhook-signature",
      false,
      `${STANDARD} Base64 HMAC-SHA256 of \`<webhook-id>.<webhook-timestamp>.<raw body>\`, keyed with the decoded \`signing_secret\`.`,
      { pattern: "^v1,[A-Za-z0-9+/]{43}=$" },
    ),
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
