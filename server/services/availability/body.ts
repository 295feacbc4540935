import { z } from "zod";
import { weekdayNames } from "@/server/domain/availability/working-hours";
import {
  MAX_AVAILABILITY_GROUPS,
  MAX_AVAILABILITY_MEMBERS,
  MAX_AVAILABILITY_PERIODS,
  MAX_AVAILABILITY_RESULTS,
} from "@/server/domain/limits";
import {
  accountSub,
  type availabilityPeriod,
  buffer,
  calendarIds,
  list,
  minutes,
  periods,
} from "@/server/services/availability/fields";
import { componentRef } from "@/server/services/docs-as";
import { always, refused, sparse, timeZone } from "@/server/services/fields";

/** A member of a group: whose time is asked for. */
export const availabilityMember = sparse({
  sub: accountSub,
  calendar_ids: calendarIds.describe("Only events in these calendars count. Default: all of the account's.").optional(),
  available_periods: periods.describe("The only time in which this member can be offered. Default: any.").optional(),
  only_managed: z.boolean().describe("Only count events that your application created.").optional(),
});

export const availabilityGroup = sparse({
  members: list(availabilityMember, {
    most: MAX_AVAILABILITY_MEMBERS,
    items: componentRef("AvailabilityMember"),
  }),
  required: z
    .unknown()
    .default("all")
    .transform((value, { issues }): number | "all" => {
      if (value === "all" || (Number.isInteger(value) && (value as number) > 0)) return value as number | "all";
      issues.push(refused(value, { key: "errors.invalid_value" }, "must be `all` or a whole number of at least 1"));
      return z.NEVER;
    })
    .meta({
      anyOf: [
        { type: "string", enum: ["all"] },
        { type: "integer", minimum: 1 },
      ],
      description: "How many different members must be free. Default: `all`.",
    }),
});

const time = /^(?:[01]\d|2[0-3]):[0-5]\d$/;
export const workingHoursShape = z
  .object({
    day: z.enum(weekdayNames),
    start: z.string().regex(time).describe("`hh:mm` on the wall clock."),
    end: z
      .string()
      .regex(/^(?:(?:[01]\d|2[0-3]):[0-5]\d|24:00)$/)
      .describe("`hh:mm`, later than `start`, up to 24:00."),
  })
  .check(({ value, issues }) => {
    if (issues.length > 0 || value.end > value.start) return;
    issues.push({ ...refused(value.end, { key: "errors.invalid" }, "must be after start"), path: ["end"] });
  });

const counts = z.enum(["busy", "free"]);

/** The body of POST /v1/availability. */
export const availabilityBody = sparse({
  participants: list(availabilityGroup, {
    most: MAX_AVAILABILITY_GROUPS,
    items: componentRef("AvailabilityGroup"),
  }).describe("Groups, each of which needs enough free members."),
  required_duration: minutes(1).describe("How long the meeting takes."),
  query_periods: periods.describe("The time to search. Also accepted as `available_periods`.").optional(),
  available_periods: periods.describe("Another name for `query_periods`.").optional(),
  buffer: buffer
    .describe("Time before and after the meeting that must be free of events. It may reach beyond periods and hours.")
    .optional(),
  start_interval: minutes(1).describe("How far apart slots start, counted from the start of each period.").optional(),
  response_format: z
    .enum(["periods", "slots", "overlapping_slots"])
    .describe("Periods as long as possible, slots that do not overlap, or a slot at every interval.")
    .default("periods"),
  max_results: z.int().min(1).max(MAX_AVAILABILITY_RESULTS).default(MAX_AVAILABILITY_RESULTS),
  working_hours: list(workingHoursShape, {
    most: MAX_AVAILABILITY_PERIODS,
    items: componentRef("WorkingHours"),
  })
    .describe("The hours of the week in which time is offered, in the time zone `tzid`.")
    .optional(),
  tzid: timeZone.optional(),
  tentative: counts.describe("Whether tentative events take time.").default("busy"),
  unanswered: counts.describe("Whether invitations that the member has not responded to take time.").default("busy"),
  explain: z.boolean().describe("Lists for each member what takes the time that is not free.").default(false),
})
  .superRefine(checkTogether, always)
  .meta({ required: ["participants", "required_duration"] });

export type AvailabilityQuestion = z.output<typeof availabilityBody>;
export type AvailabilityPeriod = z.output<typeof availabilityPeriod>;

/** Checks fields against one another, even if others are invalid. */
function checkTogether(value: unknown, { issues }: { issues: z.core.$ZodRawIssue[] }): void {
  if (typeof value !== "object" || value === null) return;
  const sent = value as Partial<AvailabilityQuestion>;
  const missing = (path: string) =>
    issues.push({ ...refused(undefined, { key: "errors.required" }, "is required"), path: [path] });
  if (!sent.query_periods && !sent.available_periods) missing("query_periods");
  if (sent.query_periods && sent.available_periods) {
    const fault = refused(
      sent.available_periods,
      { key: "errors.invalid" },
      "must not be sent together with query_periods",
    );
    issues.push({ ...fault, path: ["available_periods"] });
  }
  if (sent.working_hours && !sent.tzid) missing("tzid");
  if (!Array.isArray(sent.participants)) return;
  const everyone = new Set<string>();
  for (const [index, { members, required }] of sent.participants.entries()) {
    if (!Array.isArray(members)) continue;
    const different = new Set(members.map(({ sub }) => sub));
    for (const sub of different) everyone.add(sub);
    if (typeof required !== "number" || required <= different.size) continue;
    issues.push(tooBig(required, { path: ["participants", index, "required"], maximum: different.size }));
  }
  if (everyone.size <= MAX_AVAILABILITY_MEMBERS) return;
  const sentence = `must name at most ${MAX_AVAILABILITY_MEMBERS} different accounts`;
  issues.push({ ...refused(sent.participants, { key: "errors.too_big" }, sentence), path: ["participants"] });
}

function tooBig(input: number, { path, maximum }: { path: PropertyKey[]; maximum: number }): z.core.$ZodRawIssue {
  return { code: "too_big", origin: "number", maximum, inclusive: true, input, message: "", path };
}
