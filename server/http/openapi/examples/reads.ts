import { credentials, type Example, known } from "@/server/http/openapi/examples/example";

const path = { calendar_id: known.calendarId };
const june = { tzid: "Europe/Paris", from: "2025-06-01", to: "2025-07-01" };

/** Reading what the examples before have written, then taking it away again. */
export const readExamples: readonly Example[] = [
  {
    operation: "listFreeBusy",
    name: "with_own_events",
    summary: "A month with the application's own events, in local times",
    query: { ...june, include_managed: "true", include_ids: "true", localized_times: "true" },
    status: 200,
  },
  {
    operation: "listFreeBusy",
    name: "some_calendars",
    summary: "One calendar, without the application's own events",
    query: { ...june, "calendar_ids[]": [known.calendarId] },
    status: 200,
  },
  {
    operation: "listFreeBusy",
    name: "without_time_zone",
    summary: "The time zone is missing, and the window ends before it starts",
    query: { from: "2025-07-01", to: "2025-06-01", include_ids: "yes" },
    status: 422,
  },
  {
    operation: "listEvents",
    name: "month",
    summary: "A month of the application's own events",
    query: { ...june, only_managed: "true" },
    status: 200,
  },
  {
    operation: "listEvents",
    name: "meeting_link",
    summary: "A meeting link that is being made",
    as: "connected",
    query: { ...june, include_managed: "true" },
    status: 200,
  },
  {
    operation: "listEvents",
    name: "since_notification",
    summary: "What changed since a notification",
    query: {
      tzid: "Etc/UTC",
      last_modified: "2025-06-01T08:15:00Z",
      from: "2025-06-10T00:00:00Z",
      include_managed: "1",
      include_deleted: "1",
    },
    status: 200,
  },
  {
    operation: "listEvents",
    name: "forged_cursor",
    summary: "A cursor that was not issued",
    query: { tzid: "Etc/UTC", cursor: "forged" },
    status: 422,
  },
  {
    operation: "deleteEvent",
    name: "one_day",
    summary: "Skip one day of a series",
    path,
    body: { event_id: "standup", occurrence_date: "2025-06-24" },
    status: 202,
  },
  {
    operation: "deleteEvent",
    name: "event",
    summary: "Delete an event without telling its guests",
    path,
    body: { event_id: "review-2025-06", notify_attendees: false },
    status: 202,
  },
  {
    operation: "deleteEvent",
    name: "not_recurring",
    summary: "A day of an event that does not repeat",
    path,
    body: { event_id: "offsite", occurrence_date: "2025-06-10" },
    status: 422,
  },
  {
    operation: "revokeToken",
    name: "revoke",
    summary: "End a connection",
    as: "nobody",
    body: { ...credentials, token: known.connectedRefreshToken },
    status: 200,
  },
  {
    operation: "revokeToken",
    name: "wrong_secret",
    summary: "A wrong client secret",
    as: "nobody",
    form: true,
    body: { ...credentials, client_secret: "wrong", token: known.connectedRefreshToken },
    status: 400,
  },
];
