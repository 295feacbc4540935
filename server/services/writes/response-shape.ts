import { z } from "zod";
import { receiptStates } from "@/server/domain/trouble/receipt";
import { reasonShape } from "@/server/services/profiles/status-shape";
import { id, utcTime } from "@/server/services/response-fields";

/** The response of GET /v1/calendars/{calendar_id}/events/{event_id}/receipt. */
export const receiptShape = z
  .object({
    state: z
      .enum(receiptStates)
      .describe(
        "`pending`: the provider doesn't have it yet. `sent`: the provider has it. `refused`: the provider rejected it, or Almanac gave up.",
      ),
    attempts: z.int().min(0).describe("How many attempts were made since you wrote it."),
    at: utcTime.describe(
      "When it was written while it is pending, then when it was sent or refused. In an application calendar, when the event last changed.",
    ),
    reason: reasonShape.nullable(),
  })
  .describe("The outcome of your application's last write of an event, which may be its deletion.");

export type ReceiptShape = z.output<typeof receiptShape>;

/** An entry of GET /v1/writes. */
export const writeShape = z
  .object({ calendar_id: id("cal"), event_id: z.string().describe("Your application's id."), ...receiptShape.shape })
  .describe("An event of your application, and the outcome of its last write.");

/** The response of GET /v1/writes. */
export const writesShape = z.object({
  pages: z
    .object({
      next_page: z
        .string()
        .meta({ format: "uri" })
        .optional()
        .describe("URL of the next page. Request it unchanged, with the same token. The last page has none."),
    })
    .describe("The next page."),
  writes: z.array(writeShape),
});

export type WritesShape = z.output<typeof writesShape>;
