import { z } from "zod";
import { providerNameTokens, serviceNameTokens, type Vocabulary } from "@/server/domain/wire-names";
import { id, wireNames } from "@/server/services/response-fields";

/** "Calendar". */
export const calendarShape = z
  .object({
    calendar_id: id("cal"),
    calendar_name: z.string(),
    calendar_readonly: z.boolean().describe("If `true`, you can't write events to this calendar."),
    calendar_deleted: z.boolean().describe("`true` if the calendar was deleted at the provider. It stays listed."),
    calendar_primary: z.boolean(),
    calendar_integrated_conferencing_available: z
      .boolean()
      .describe("`true` if the calendar can add its own meeting link."),
    calendar_attachments_available: z.literal(false),
    permission_level: z.string().describe("For example `unrestricted`."),
  })
  .describe("A calendar.");

export type CalendarShape = z.output<typeof calendarShape>;

/** Builds "Profile": a calendar account that a user connected, or the one of an application calendar. */
export function profileShape(names: Vocabulary) {
  return z
    .object({
      provider_name: wireNames(names, providerNameTokens),
      provider_service: wireNames(names, serviceNameTokens),
      profile_id: id("pro"),
      profile_name: z.string(),
      profile_connected: z.boolean().describe("If `false`, the user must reconnect this calendar account."),
      profile_relink_url: z.null(),
      profile_initial_sync_required: z.boolean().describe("`true` until the first sync is complete."),
      profile_calendars: z.array(calendarShape),
    })
    .describe("A calendar account that a user connected, or the one behind an application calendar.");
}

export type ProfileShape = z.output<ReturnType<typeof profileShape>>;

/** Builds the response of GET /v1/profiles. */
export function profilesShape(profile: ReturnType<typeof profileShape>) {
  return z.object({ profiles: z.array(profile) });
}

/** Builds the response of GET /v1/calendars: each calendar with its profile. */
export function calendarsShape(names: Vocabulary) {
  const { provider_name, profile_id, profile_name } = profileShape(names).shape;
  return z.object({
    calendars: z.array(z.object({ provider_name, profile_id, profile_name, ...calendarShape.shape })),
    sub: id("acc", "apc").describe("The account id."),
  });
}

export type CalendarsShape = z.output<ReturnType<typeof calendarsShape>>;
