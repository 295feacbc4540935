import { z } from "zod";
import { notificationTypeNames } from "@/server/domain/channels/notification-types";
import { changeShape } from "@/server/services/changes/response-shape";
import { id } from "@/server/services/response-fields";

/** "Channel", as lists and notifications show it. */
export const channelShape = z
  .object({
    channel_id: id("chn"),
    callback_url: z.string(),
    filters: z
      .object({ calendar_ids: z.array(z.string()).optional(), only_managed: z.boolean().optional() })
      .describe("The filters that are set."),
  })
  .describe("Where Almanac sends notifications, and for which changes.");

/** GET /v1/channels. */
export const channelsShape = z.object({ channels: z.array(channelShape) });

/** POST /v1/channels. */
export const openedChannelShape = z.object({
  channel: channelShape.extend({
    signing_secret: z
      .string()
      .regex(/^whsec_/)
      .optional()
      .describe(
        "The key for `Svc-Signature`, `whsec_` included. The rest is standard base64, so libraries for Standard Webhooks accept it. Returned only here, and never in compatibility mode.",
      ),
  }),
});

/** POST /v1/channels/{channel_id}/test. */
export const testEventShape = z.object({
  delivery: z.object({ delivery_id: id("whd").describe("The `Svc-Delivery-Id` of the test event.") }),
});

/** DELETE /v1/channels/{channel_id} for an id that the account never had. */
export const unknownChannelShape = z.object({ error: z.literal("not_found"), description: z.string() });

/** "Notification": the body that callback URLs receive. */
export const notificationShape = z.object({
  notification: z.object({
    type: z.enum(notificationTypeNames),
    changes_since: z
      .string()
      .meta({ format: "date-time" })
      .optional()
      .describe("Only for `change`. Pass it as `last_modified` to GET /v1/events. Whole seconds."),
    changes: z
      .array(changeShape)
      .optional()
      .describe("Only for `change`, on a channel with `payload` `changes`: what changed since then."),
    more: z.literal(true).optional().describe("`changes` is incomplete: read `GET /v1/changes`."),
    trigger_id: id("trg").optional().describe("Only for `trigger`."),
    event_uid: id("evt")
      .optional()
      .describe("Only for `trigger` and `write_refused`: the event, or the occurrence, as reads name it."),
    late: z.literal(true).optional().describe("Only for `trigger`: more than a minute after its time."),
    calendar_id: id("cal").optional().describe("Only for `write_refused`: where the event was written."),
    event_id: z
      .string()
      .optional()
      .describe("Only for `write_refused`: your id of the event, if your application created it."),
    reason: z.string().optional().describe("Only for `write_refused`: as in `GET /v1/writes`."),
  }),
  channel: channelShape.optional().describe("Not for `trigger`."),
});
