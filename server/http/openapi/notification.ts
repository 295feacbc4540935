import { notificationBody } from "@/server/domain/channels/notification";
import type { Instant } from "@/server/domain/time/instant";
import { type Vocabulary, wireName } from "@/server/domain/wire-names";
import type { OperationObject, Parameter } from "@/server/http/openapi/document-shape";
import { stableId } from "@/server/http/openapi/examples/stable";
import { reference } from "@/server/http/openapi/schemas";
import type { Wording } from "@/server/http/openapi/wording";

const channel = {
  id: stableId("chn", 0),
  callbackUrl: "https://app.acme.io/calendar-changes",
  calendarIds: null,
  onlyManaged: null,
};
const since = Date.UTC(2025, 5, 2, 8, 15) as Instant;

const examples = {
  change: { summary: "Something changed", value: JSON.parse(notificationBody("change", channel, since)) },
  verification: {
    summary: "The channel was opened",
    value: JSON.parse(notificationBody("verification", channel, null)),
  },
};

/** What a callback URL receives ("Webhook receiver contract"). */
export function notificationWebhook({ names }: Wording): OperationObject {
  return {
    operationId: "notification",
    tags: ["Notifications"],
    summary: "A notification, sent to a channel's callback URL",
    description: `Answer any 2xx within 5 seconds; 410 closes the channel. Everything else, redirects too, is a failed attempt: ten in all, the second after 15 seconds, then after 1, 5 and 15 minutes, 1, 2, 4, 6 and 10 hours, each wait up to a tenth longer; 48 hours after its creation a delivery is given up. Delivery is at least once: ignore a \`Svc-Delivery-Id\` that you have handled.

Verify the body before you parse it. \`Svc-HMAC-SHA256\` holds the base64 HMAC-SHA256 of the raw body, keyed with the client secret; while the secret is being changed one for each active secret, with commas between them. \`Svc-Signature\` is keyed with the channel's \`signing_secret\`.

Several changes within about a second are one notification, and changes that the application made itself are none.`,
    security: [],
    parameters: parameters(names),
    requestBody: {
      required: true,
      content: { "application/json": { schema: { $ref: reference("Notification") }, examples } },
    },
    responses: {
      "2XX": { description: "Delivered." },
      "410": { description: "Closes the channel: nothing more is sent to it." },
      default: { description: "A failed attempt: the delivery is tried again." },
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
  const hmac = "base64 HMAC-SHA256 of the raw body, keyed with the client secret; several with commas between them.";
  return [
    text("Svc-HMAC-SHA256", true, hmac),
    text(
      "Svc-Signature",
      false,
      "Keyed with the channel's secret, HMAC-SHA256 of `<t>.<raw body>` in hex. Not sent in compatibility mode.",
      { pattern: "^t=\\d+,v1=[0-9a-f]{64}$" },
    ),
    text("Svc-Delivery-Id", true, "The same on every attempt of one notification.", { pattern: "^whd_" }),
    {
      name: "Svc-Delivery-Attempt",
      in: "header",
      required: true,
      description: "1 for the first attempt.",
      schema: { type: "integer", minimum: 1 },
    },
    ...(names === "product"
      ? [text(`${wireName(names, "compat")}-HMAC-SHA256`, false, "Compatibility mode only: as `Svc-HMAC-SHA256`.")]
      : []),
  ];
}
