import { z } from "zod";
import type { GuestStatus } from "@/server/domain/events/guests";
import { meetingServiceTokens, type Vocabulary } from "@/server/domain/wire-names";
import { recurrenceRule } from "@/server/services/events/recurrence-shape";
import { pagesShape } from "@/server/services/reads/response-shape";
import { dateOrTime, id, utcTime, wireNames } from "@/server/services/response-fields";

const transparency = z.enum(["opaque", "transparent"]);
const status = z.enum(["needs_action", "accepted", "declined", "tentative", "unknown"] satisfies GuestStatus[]);

/** A guest of an event, with the reply that the calendar holds. */
export const attendeeShape = z
  .object({
    email: z.string().describe("In lowercase."),
    display_name: z.string().nullable(),
    status,
  })
  .describe("A guest and their reply.");

/** Builds "Event (GET /v1/events)". */
export function eventShape(names: Vocabulary) {
  return z
    .object({
      calendar_id: id("cal"),
      event_uid: id("evt"),
      event_id: z.string().optional().describe("Only on events your application created."),
      summary: z.string(),
      description: z.string(),
      start: dateOrTime,
      end: dateOrTime.describe("Dates are exclusive."),
      deleted: z.boolean().describe("`true` only with `include_deleted`."),
      created: utcTime,
      updated: utcTime,
      location: z.object({ description: z.string() }).optional(),
      url: z
        .string()
        .optional()
        .describe("Any text from the calendar, except links that run a script, such as `javascript:` and `data:`."),
      participation_status: status.describe("The calendar owner's reply."),
      attendees: z.array(attendeeShape),
      transparency,
      extended_transparency: transparency,
      event_private: z.boolean(),
      organizer: z
        .object({ email: z.string(), display_name: z.string().nullable() })
        .nullable()
        .describe("`null` if the calendar names no organizer."),
      status: z.string().describe("For example `confirmed`. Cancelled events are not returned."),
      categories: z.array(z.string()),
      recurring: z.boolean().describe("`true` on every occurrence of a recurring event."),
      recurrence: z
        .object({ rules: z.array(recurrenceRule) })
        .optional()
        .describe("On the first occurrence of a series your application created: its rule as you sent it."),
      series_identifier: z.string().optional().describe("The same on all occurrences of one series."),
      series_master: z
        .object({ event_id: z.string(), event_uid: id("evt") })
        .optional()
        .describe("On occurrences of a series your application created: its first occurrence."),
      occurrence_date: z
        .string()
        .meta({ format: "date" })
        .optional()
        .describe("On every occurrence: its original day in the series' time zone, even if it was moved."),
      conferencing: z
        .union([
          z.object({ provider_name: wireNames(names, meetingServiceTokens), join_url: z.string() }),
          z.object({ pending: z.literal(true) }),
        ])
        .optional()
        .describe("The meeting link, or `pending` while the calendar creates it. Omitted if the event has no link."),
      options: z.object({ delete: z.boolean(), update: z.boolean(), change_participation_status: z.boolean() }),
    })
    .describe("An event, or one occurrence of a recurring event.");
}

/** Builds the response of GET /v1/events/{event_uid}: an event of the list, and what the application may do with it. */
export function namedEventShape(names: Vocabulary) {
  const rights = z
    .object({
      update: z.boolean().describe("Whether PATCH changes the event."),
      delete: z.boolean().describe("Whether DELETE deletes it."),
      reply: z.boolean().describe("Whether the user can reply to it with `participation_status`."),
    })
    .describe("What your application may do with the event.");
  return eventShape(names).extend({ rights }).describe("An event, or one occurrence, and what you may do with it.");
}

/** Builds the response of GET /v1/events: one event for each occurrence in the window. */
export function eventsShape(event: ReturnType<typeof eventShape>) {
  return z.object({ pages: pagesShape, events: z.array(event) });
}
