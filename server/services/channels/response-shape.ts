import { z } from "zod";
import { notificationTypeNames } from "@/server/domain/channels/notification-types";
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
        "The key of `Svc-Signature`, as it is. After `whsec_` it is standard base64, so that libraries for Standard Webhooks accept it. Returned only here, and never in compatibility mode.",
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
  }),
  channel: channelShape,
});
