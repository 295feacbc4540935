import { z } from "zod";
import { moment, spanOf } from "@/server/services/events/moment";
import { always, refused, text, timeZone } from "@/server/services/fields";

export const MAX_EVENT_ID = 512;
export const MAX_SUMMARY = 2_000;
export const MAX_DESCRIPTION = 50_000;
export const MAX_LOCATION = 2_000;
const MAX_URL = 2_048;

export const eventId = text({ min: 1, max: MAX_EVENT_ID });

/** The body of POST /v1/calendars/{id}/events. Fields that it does not name are ignored. */
export const eventBody = z
  .object({
    event_id: eventId,
    summary: text({ max: MAX_SUMMARY }),
    description: text({ max: MAX_DESCRIPTION }).optional(),
    start: moment,
    end: moment,
    tzid: timeZone.optional(),
    location: z.object({ description: text({ max: MAX_LOCATION }).optional() }).optional(),
    url: text({ max: MAX_URL }).optional(),
    transparency: z.enum(["opaque", "transparent"]).default("opaque"),
    notify_attendees: z.boolean().default(true),
    attendees: notYet(),
    recurrence: notYet(),
    conferencing: notYet(),
  })
  .superRefine(spanOf, always);

export type EventBody = z.output<typeof eventBody>;

function notYet() {
  return z
    .unknown()
    .optional()
    .superRefine((value, { issues }) => {
      if (value !== undefined)
        issues.push(refused(value, { key: "errors.not_supported" }, "is not supported by this release"));
    });
}
