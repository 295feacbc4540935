import { z } from "zod";
import { MAX_DESCRIPTION, MAX_LOCATION, MAX_SUMMARY, MAX_URL } from "@/server/domain/text-limits";
import { bothOrNeither, moment, spanOf } from "@/server/services/events/moment";
import { always, link, text } from "@/server/services/fields";

const location = z.object({ description: text({ max: MAX_LOCATION }).nullable().optional() });

/** The body of PATCH /v1/events/{event_uid}. Fields that it does not name are ignored. */
export const eventPatch = z
  .object({
    summary: text({ max: MAX_SUMMARY }).optional(),
    description: text({ max: MAX_DESCRIPTION }).nullable().optional(),
    start: moment
      .describe("Send it together with `end`. With `scope=all`, the series moves as far as the named occurrence does.")
      .optional(),
    end: moment.describe("A date if `start` is a date, otherwise a time. Dates are exclusive.").optional(),
    location: location.nullable().optional(),
    url: link({ max: MAX_URL })
      .nullable()
      .describe("A link. Of a recurring event, it is changed with `scope=all`.")
      .optional(),
    transparency: z
      .enum(["opaque", "transparent"])
      .nullable()
      .describe("`null` is `opaque`. Of a recurring event, it is changed with `scope=all`.")
      .optional(),
  })
  .superRefine(spanOf, always)
  .superRefine(bothOrNeither, always)
  .describe("A JSON merge patch (RFC 7396): fields you omit stay unchanged, and `null` removes a field.");

export type EventPatch = z.output<typeof eventPatch>;
