import { z } from "zod";
import { dateOrTime, id } from "@/server/services/answer-fields";

/** `pages` of both reads. */
export const pagesAnswer = z
  .object({
    current: z.int().min(1),
    total: z.int().min(1),
    next_page: z
      .string()
      .meta({ format: "uri" })
      .optional()
      .describe("The address of the next page, to be asked for as it is with the same token. The last page has none."),
  })
  .describe("Where this page stands among all.");

/** "Free/busy period". */
export const periodAnswer = z
  .object({
    calendar_id: id("cal"),
    event_uid: id("evt"),
    start: dateOrTime.describe("Not clipped to the window."),
    end: dateOrTime.describe("A date is exclusive."),
    free_busy_status: z.enum(["busy", "tentative", "free"]),
    event_id: z.string().optional().describe("With `include_ids`, on events that the application created."),
  })
  .describe("What one event, or one occurrence, does to its owner's time.");

export type PeriodAnswer = z.output<typeof periodAnswer>;

/** GET /v1/free_busy. */
export const freeBusyAnswer = z.object({ pages: pagesAnswer, free_busy: z.array(periodAnswer) });
