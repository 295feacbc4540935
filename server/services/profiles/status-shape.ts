import { z } from "zod";
import { profileStates, pushStates } from "@/server/domain/trouble/profile-status";
import { reasonOfAnyProvider, reasons } from "@/server/domain/trouble/reasons";
import { utcTime } from "@/server/services/response-fields";

const meanings = reasons.map((reason) => `- \`${reason}\`: ${reasonOfAnyProvider(reason)}`);

/** Why a profile isn't read as it should be, or a write has not arrived. */
export const reasonShape = z
  .enum(reasons)
  .describe(`The reason, from one list for profiles and writes:\n\n${meanings.join("\n")}`);

/** The response of GET /v1/profiles/{profile_id}/status. */
export const profileStatusShape = z.object({
  state: z
    .enum(profileStates)
    .describe(
      "`disconnected`: the user must reconnect. `delayed`: the last two reads in a row failed, or a read is overdue, so reads may be incomplete.",
    ),
  reason: reasonShape.nullable(),
  since: utcTime.nullable().describe("Since when `reason` applies. Null without a reason, or if the time is unknown."),
  last_read_at: utcTime
    .nullable()
    .describe("When its calendars were last read. Null: never, and for application calendars, which need no reads."),
  next_read_at: utcTime
    .nullable()
    .describe("When they are read next, at the latest. Null while it is disconnected, and for application calendars."),
  pushes: z
    .enum(pushStates)
    .describe(
      "Whether the provider notifies Almanac of changes: `live` for all calendars that it can, `partial` for some of them, `off` for none. `unsupported`: this provider never does. Without notifications, changes are found when the calendars are read next.",
    ),
  pending_writes: z.int().min(0).describe("Events that the provider doesn't have yet."),
  failed_writes: z.int().min(0).describe("Events that the provider rejected, or that Almanac gave up on."),
});

export type ProfileStatusShape = z.output<typeof profileStatusShape>;
