import { z } from "zod";
import { MAX_BATCH_ENTRIES } from "@/server/domain/limits";
import { list } from "@/server/services/availability/fields";
import { componentRef } from "@/server/services/docs-as";
import { sparse } from "@/server/services/fields";

/** One request of a batch. What it asks for is judged when its turn comes. */
export const batchEntry = sparse({
  method: z.string().describe("`POST` or `DELETE`."),
  relative_url: z.string().describe("`/v1/calendars/{calendar_id}/events`, as the single request has it."),
  data: z
    .unknown()
    .meta({
      description: "The body of the single request.",
      anyOf: [componentRef("EventWrite"), componentRef("EventDelete")],
    })
    .optional(),
});

/** The body of POST /v1/batch. */
export const batchBody = z.object({
  batch: list(batchEntry, { most: MAX_BATCH_ENTRIES, items: componentRef("BatchEntry") }),
});

export type BatchEntry = z.output<typeof batchEntry>;

/** What became of one request of a batch. */
export const batchOutcome = z.object({
  status: z.int().describe("The status that the single request would have had."),
  headers: z.record(z.string(), z.string()).describe("For example `Retry-After`, if the status is 429 or 503."),
  data: z.unknown().meta(componentRef("Errors")).optional(),
});

/** The response of POST /v1/batch. */
export const batchShape = z.object({ batch: z.array(batchOutcome) });

export type BatchOutcome = z.output<typeof batchOutcome>;
