import { type Example, known } from "@/server/http/openapi/examples/example";

const { standup, offsite, moved, series, invitation } = known.eventUids;
const read = { "If-Match": '"3f7c0c2a9d1e4b5f8a6b7c8d9e0f1a2b"' };

/** Events by their uids, after every event was read. */
export const namedEventExamples: readonly Example[] = [
  {
    operation: "getEvent",
    name: "occurrence",
    summary: "An occurrence by its uid",
    path: { event_uid: standup },
    status: 200,
  },
  {
    operation: "getEvent",
    name: "day",
    summary: "An occurrence by its day",
    path: { event_uid: series },
    query: { occurrence_date: "2025-06-10" },
    status: 200,
  },
  {
    operation: "getEvent",
    name: "no_occurrence",
    summary: "A day that is not in the series",
    path: { event_uid: standup },
    query: { occurrence_date: "2025-06-11" },
    status: 422,
  },
  {
    operation: "patchEvent",
    name: "renamed",
    summary: "Another summary and location, for an event that exists",
    path: { event_uid: offsite },
    headers: { "If-Match": "*" },
    body: { summary: "Offsite in Hakone", location: { description: "Hakone" } },
    status: 200,
  },
  {
    operation: "patchEvent",
    name: "whole_series",
    summary: "All occurrences of a series, without a location",
    path: { event_uid: standup },
    query: { scope: "all", notify_attendees: "false" },
    body: { summary: "Daily stand-up", location: null },
    status: 200,
  },
  {
    operation: "patchEvent",
    name: "changed_since",
    summary: "The event has changed since you read it",
    path: { event_uid: offsite },
    headers: read,
    body: { start: "2025-06-11", end: "2025-06-13" },
    status: 412,
  },
  {
    operation: "patchEvent",
    name: "half_a_time",
    summary: "A start without its end",
    path: { event_uid: offsite },
    body: { start: "2025-06-11" },
    status: 422,
  },
  {
    operation: "deleteEventByUid",
    name: "changed_since_read",
    summary: "The event has changed since you read it",
    path: { event_uid: offsite },
    headers: read,
    status: 412,
  },
  {
    operation: "deleteEventByUid",
    name: "one_occurrence",
    summary: "Delete one occurrence",
    path: { event_uid: moved },
    status: 202,
  },
  {
    operation: "deleteEventByUid",
    name: "vague",
    summary: "A series, without `scope=all`",
    path: { event_uid: series },
    status: 422,
  },
];

/** Events that others created in the sandbox. */
export const othersEventExamples: readonly Example[] = [
  {
    operation: "listEvents",
    name: "of_others",
    summary: "A week of other people's events",
    query: { tzid: "Asia/Tokyo", from: "2025-06-02", to: "2025-06-09" },
    status: 200,
  },
  {
    operation: "getEvent",
    name: "invitation",
    summary: "An invitation that the user can reply to",
    path: { event_uid: invitation },
    status: 200,
  },
  {
    operation: "replyToEvent",
    name: "accepted",
    summary: "Accept an invitation",
    path: { calendar_id: known.calendarId, event_uid: invitation },
    body: { status: "accepted", comment: "Looking forward to it" },
    status: 202,
  },
  {
    operation: "replyToEvent",
    name: "organizer",
    summary: "The user organizes the event",
    path: { calendar_id: known.calendarId, event_uid: standup },
    body: { status: "accepted" },
    status: 422,
  },
  {
    operation: "changeInSandbox",
    name: "read_only",
    summary: "The user can no longer write to the calendar",
    body: {
      type: "calendar_changed",
      calendar_id: known.calendarId,
      calendar: { calendar_readonly: true },
    },
    status: 202,
  },
  {
    operation: "patchEvent",
    name: "read_only",
    summary: "An event of a read-only calendar",
    path: { event_uid: invitation },
    body: { summary: "Kick-off, moved" },
    status: 403,
  },
  {
    operation: "deleteEventByUid",
    name: "read_only",
    summary: "An event of a read-only calendar",
    path: { event_uid: invitation },
    status: 403,
  },
  {
    operation: "replyToEvent",
    name: "read_only",
    summary: "An event of a read-only calendar",
    path: { calendar_id: known.calendarId, event_uid: invitation },
    body: { status: "declined" },
    status: 403,
  },
];
