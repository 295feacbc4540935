import { z } from "zod";
import { feedDetails, MAX_FEED_DAYS_AHEAD, MAX_FEED_DAYS_BACK } from "@/server/domain/feeds";
import { sparse } from "@/server/services/fields";
import { id, utcTime } from "@/server/services/response-fields";

const detail = z
  .enum(feedDetails)
  .describe(
    "`busy`: only when time is taken. `titles`: all events, with their titles. `full`: also descriptions, locations, links and categories. Never the guests.",
  );

/** The body of POST /v1/calendars/{calendar_id}/feeds. */
export const feedBody = sparse({
  detail,
  days_back: z
    .int()
    .min(0)
    .max(MAX_FEED_DAYS_BACK)
    .default(MAX_FEED_DAYS_BACK)
    .describe("How many days before today the feed shows, counted in UTC."),
  days_ahead: z
    .int()
    .min(1)
    .max(MAX_FEED_DAYS_AHEAD)
    .default(MAX_FEED_DAYS_AHEAD)
    .describe("How many days after today the feed shows."),
});

/** A feed of a calendar, without its address. */
export const feedShape = z.object({
  feed_id: id("fed"),
  detail,
  days_back: z.int(),
  days_ahead: z.int(),
  created: utcTime,
  last_read_at: utcTime.nullable().describe("When it was last read, to the minute. `null`: never."),
});

export type FeedShape = z.output<typeof feedShape>;

/** The response of POST /v1/calendars/{calendar_id}/feeds. */
export const createdFeedShape = feedShape.extend({
  url: z
    .string()
    .meta({ format: "uri" })
    .describe("The secret address. Anyone who has it can read the feed. Returned only here."),
});

/** The response of GET /v1/calendars/{calendar_id}/feeds. */
export const feedsShape = z.object({ feeds: z.array(feedShape) });
