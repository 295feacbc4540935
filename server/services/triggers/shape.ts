import { z } from "zod";
import { MAX_CHANNEL_CALENDARS } from "@/server/domain/limits";
import { anchors, MAX_MIN_GUESTS, MAX_TRIGGER_MINUTES } from "@/server/domain/triggers";
import { calendarIdsUpTo } from "@/server/services/availability/fields";
import { callbackUrl } from "@/server/services/channels/open";
import { always, eitherOf, sparse } from "@/server/services/fields";
import { id } from "@/server/services/response-fields";

const anchor = z.enum(anchors);

/** Builds the body of POST /v1/triggers; `callbackOrigins` are accepted whatever other rule their addresses break. */
export function triggerBody(callbackOrigins: readonly string[]) {
  return sparse({
    callback_url: callbackUrl(callbackOrigins),
    before: anchor
      .describe("Notify before the start or the end of events. Send either `before` or `after`.")
      .optional(),
    after: anchor.describe("Notify after the start or the end of events.").optional(),
    minutes: z.int().min(0).max(MAX_TRIGGER_MINUTES).describe("How many minutes before or after."),
    calendar_ids: calendarIdsUpTo(MAX_CHANNEL_CALENDARS)
      .describe("Only events in these calendars. Default: every calendar of the account.")
      .optional(),
    only_managed: z.boolean().describe("Only events that your application created.").optional(),
    min_guests: z.int().min(0).max(MAX_MIN_GUESTS).describe("Only events with at least this many guests.").optional(),
  })
    .superRefine(eitherOf("before", "after"), always)
    .meta({ required: ["callback_url", "minutes"] });
}

/** A trigger, as it was asked for. */
export const triggerShape = z.object({
  trigger_id: id("trg"),
  callback_url: z.string(),
  before: anchor.optional(),
  after: anchor.optional(),
  minutes: z.int(),
  calendar_ids: z.array(z.string()).optional(),
  only_managed: z.boolean().optional(),
  min_guests: z.int().optional(),
});

export type TriggerShape = z.output<typeof triggerShape>;

/** The response of POST /v1/triggers. */
export const createdTriggerShape = triggerShape.extend({
  signing_secret: z
    .string()
    .describe("The key for `Svc-Signature`, as for channels. Returned only here, and never in compatibility mode.")
    .optional(),
});

/** The response of GET /v1/triggers. */
export const triggersShape = z.object({ triggers: z.array(triggerShape) });
