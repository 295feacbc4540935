import { z } from "zod";
import { dateOrTime, id } from "@/server/services/response-fields";

/** `pages` of both reads. */
export const pagesShape = z
  .object({
    current: z.int().min(1),
    total: z.int().min(1),
    next_page: z
      .string()
      .meta({ format: "uri" })
      .optional()
      .describe("URL of the next page. Request it unchanged, with the same token. The last page has none."),
  })
  .describe("This page and the total number of pages.");

/** "Free/busy period". */
export const periodShape = z
  .object({
    calendar_id: id("cal"),
    event_uid: id("evt"),
    start: dateOrTime.describe("Not clipped to the window."),
    end: dateOrTime.describe("Dates are exclusive."),
    free_busy_status: z.enum(["busy", "tentative", "free"]),
    event_id: z.string().optional().describe("Only with `include_ids`, on events your application created."),
  })
  .describe("How an event, or one occurrence, affects the owner's availability.");

/** GET /v1/free_busy. */
export const freeBusyShape = z.object({ pages: pagesShape, free_busy: z.array(periodShape) });
