import { type Example, known } from "@/server/http/openapi/examples/example";

const ada = { sub: known.accountId };
const room = { sub: known.calendarAccountId };
const hour = { minutes: 60 };

/** Finding time, between the events that the examples before have written. */
export const schedulingExamples: readonly Example[] = [
  {
    operation: "findAvailability",
    name: "two_people",
    summary: "When two people are free for an hour",
    as: "application",
    body: {
      participants: [{ members: [ada, room] }],
      required_duration: hour,
      query_periods: [
        { start: "2025-06-04T05:00:00Z", end: "2025-06-04T09:00:00Z" },
        { start: "2025-06-05T07:00:00Z", end: "2025-06-05T10:00:00Z" },
      ],
    },
    status: 200,
  },
  {
    operation: "findAvailability",
    name: "working_hours",
    summary: "Slots within working hours, with 15 minutes before each, for either of two people",
    as: "application",
    body: {
      participants: [{ members: [ada, room], required: 1 }],
      required_duration: hour,
      query_periods: [{ start: "2025-06-04T00:00:00Z", end: "2025-06-06T00:00:00Z" }],
      working_hours: [
        { day: "wednesday", start: "13:00", end: "17:00" },
        { day: "thursday", start: "16:00", end: "18:00" },
      ],
      tzid: "Asia/Tokyo",
      buffer: { before: { minutes: 15 } },
      response_format: "slots",
      start_interval: { minutes: 30 },
      max_results: 4,
    },
    status: 200,
  },
  {
    operation: "findAvailability",
    name: "own",
    summary: "When one account is free, with its access token, and what takes the rest of its time",
    body: {
      participants: [{ members: [room] }],
      required_duration: { minutes: 30 },
      query_periods: [{ start: "2025-06-03T00:00:00Z", end: "2025-06-03T08:00:00Z" }],
      explain: true,
    },
    status: 200,
  },
  {
    operation: "findAvailability",
    name: "mistakes",
    isMistake: true,
    summary: "All errors of a body at once",
    as: "application",
    body: {
      participants: [{ members: [ada], required: 2 }],
      query_periods: [{ start: "2025-06-04T09:00:00Z", end: "2025-06-04T05:00:00Z" }],
      working_hours: [{ day: "wed", start: "9:00", end: "17:00" }],
    },
    status: 422,
  },
  {
    operation: "findAvailability",
    name: "unknown_member",
    summary: "An account that your application does not have",
    as: "application",
    body: {
      participants: [{ members: [ada, { sub: known.unknownAccountId }] }],
      required_duration: hour,
      query_periods: [{ start: "2025-06-04T05:00:00Z", end: "2025-06-04T09:00:00Z" }],
    },
    status: 422,
  },
];
