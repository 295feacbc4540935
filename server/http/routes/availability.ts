import { type EndpointError, withCompatibility } from "@/server/http/error-keys";
import { limits } from "@/server/http/limits";
import { EVENT_BODY } from "@/server/http/read-body";
import type { Route } from "@/server/http/routes/route";

const errors: EndpointError[] = [
  { key: "errors.invalid_json", field: "base", when: "the body is not a JSON object" },
  {
    key: "errors.required",
    field: "participants, required_duration, query_periods, tzid …",
    when: "missing; `tzid` with `working_hours`",
  },
  { key: "errors.invalid_type", field: "any", when: "the wrong JSON type" },
  {
    key: "errors.too_small",
    field: "any",
    when: "an empty list or text, a duration or interval under a minute, a buffer under 0, `max_results` under 1",
  },
  {
    key: "errors.too_big",
    field: "participants",
    when: `more than ${limits.availabilityGroups} groups, or ${limits.availabilityMembers} accounts in all of them`,
  },
  {
    key: "errors.too_big",
    field: "query_periods, working_hours …",
    when: `more than ${limits.availabilityPeriods} entries; \`calendar_ids\`: more than ${limits.readCalendars}; minutes over 1,440; \`max_results\` over ${limits.availabilityResults}`,
  },
  {
    key: "errors.too_big",
    field: "participants[0].required",
    when: "more than the number of different members in the group",
  },
  {
    key: "errors.invalid",
    field: "participants[0].members[0].sub",
    when: "not an account of your application or, with an access token, not its own",
  },
  {
    key: "errors.invalid",
    field: "participants[0].members[0].calendar_ids[0]",
    when: "not a calendar of the account",
  },
  {
    key: "errors.invalid",
    field: "query_periods[0].start …",
    when: "not a time with an offset; an end that is not after its start",
  },
  { key: "errors.invalid", field: "tzid", when: "not a time zone" },
  { key: "errors.invalid", field: "available_periods", when: "sent together with `query_periods`" },
  { key: "errors.invalid_value", field: "response_format, tentative, day …", when: "not one of the allowed values" },
  { key: "errors.invalid_format", field: "working_hours[0].start, end", when: "not `hh:mm`" },
  {
    key: "errors.not_supported",
    field: "query_slots, target_calendars, managed_availability, availability_rule_ids",
    when: "sent: Almanac does not support these, and ignoring them would offer time that is not free",
  },
];

export const findAvailability: Route = {
  id: "findAvailability",
  method: "post",
  path: "/v1/availability",
  tag: "Scheduling",
  summary: "Find free time",
  description: `Returns when enough members of every group are free: with the application's credentials for any of its accounts, with an access token for its own account alone. Events of your application take time too; declined, cancelled and transparent ones never do, and an all-day event takes the whole day in its owner's time zone. A member that is disconnected, or whose calendars have not been read yet, is never free: \`problems\` says so. Time is offered from ${limits.daysBack} ago to ${limits.daysAhead} ahead.`,
  credential: "either",
  body: { schema: "AvailabilityRequest", limit: EVENT_BODY },
  responses: { 200: { description: "The free periods or slots, ordered by start.", schema: ["AvailabilityResponse"] } },
  errors: withCompatibility(errors, "time_zone"),
  call: (api, { body }) => api.availability(body),
};
