import { z } from "zod";
import { problemReasons } from "@/server/domain/availability/problem";
import { id, utcTime } from "@/server/services/response-fields";

const sub = id("acc", "apc");
const offered = z.array(
  z.object({
    start: utcTime,
    end: utcTime,
    participants: z.array(z.object({ sub })).describe("Who is free for the whole period, in the order of the request."),
  }),
);

/** Why an account is not called free, whatever its events say. */
export const problemShape = z.object({
  sub,
  reason: z
    .enum(problemReasons)
    .describe(
      "`disconnected`: the user must reconnect. `initial_sync`: a calendar has not been read yet. `calendar_deleted`, `no_calendars`: there is no calendar to check. `beyond_horizon`: the request reaches beyond the time that is read.",
    ),
  since: utcTime
    .nullable()
    .describe("Since when. For `beyond_horizon`, where what is read ends. `null` if it is unknown."),
});

/** The response of POST /v1/availability. */
export const availabilityShape = z.object({
  available_periods: offered.describe("With `response_format` `periods`, which is the default.").optional(),
  available_slots: offered.describe("With `response_format` `slots` or `overlapping_slots`.").optional(),
  problems: z.array(problemShape).describe("Members that were not offered, regardless of their events, and why."),
  as_of: z
    .record(z.string(), utcTime.nullable())
    .describe("For each member, until when changes at the provider are known. `null` if nothing was read yet."),
  unavailable: z
    .array(
      z.object({
        sub,
        start: utcTime,
        end: utcTime,
        reason: z.enum(["busy", "outside_available_periods", ...problemReasons]),
      }),
    )
    .describe(
      "With `explain`: what keeps each member from being offered, buffers included; the first 512 entries, by start.",
    )
    .optional(),
});

export type AvailabilityShape = z.output<typeof availabilityShape>;
