import { credentials, type Example, known } from "@/server/http/openapi/examples/example";

const path = { calendar_id: known.calendarId };
const month = { tzid: "Asia/Tokyo", from: "2025-06-01", to: "2025-07-01" };

/** Reading what the examples before have written, then taking it away again. */
export const readExamples: readonly Example[] = [
  {
    operation: "listFreeBusy",
    name: "with_own_events",
    summary: "30 days in local times, including your own events",
    query: { ...month, include_managed: "true", include_ids: "true", localized_times: "true" },
    status: 200,
  },
  {
    operation: "listFreeBusy",
    name: "some_calendars",
    summary: "One calendar, without your own events",
    query: { ...month, "calendar_ids[]": [known.calendarId] },
    status: 200,
  },
  {
    operation: "listFreeBusy",
    name: "without_time_zone",
    isMistake: true,
    summary: "No time zone, and a window that ends before it starts",
    query: { from: "2025-07-01", to: "2025-06-01", include_ids: "yes" },
    status: 422,
  },
  {
    operation: "listEvents",
    name: "month",
    summary: "30 days of your own events",
    query: { ...month, only_managed: "true" },
    status: 200,
  },
  {
    operation: "listEvents",
    name: "meeting_link",
    summary: "A meeting link that is still pending",
    as: "connected",
    query: { ...month, include_managed: "true" },
    status: 200,
  },
  {
    operation: "listEvents",
    name: "since_notification",
    summary: "Changes since a notification",
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
    summary: "An invalid cursor",
    query: { tzid: "Etc/UTC", cursor: "forged" },
    status: 422,
  },
  {
    operation: "deleteEvent",
    name: "one_day",
    summary: "Skip one occurrence of a series",
    needs: "repeating",
    path,
    body: { event_id: "standup", occurrence_date: "2025-06-24" },
    status: 202,
  },
  {
    operation: "deleteEvent",
    name: "event",
    summary: "Delete an event without notifying its guests",
    needs: "meeting",
    path,
    body: { event_id: "quarterly-review", notify_attendees: false },
    status: 202,
  },
  {
    operation: "deleteEvent",
    name: "not_recurring",
    summary: "An event that is not recurring",
    needs: "all_day",
    path,
    body: { event_id: "offsite", occurrence_date: "2025-06-10" },
    status: 422,
  },
  {
    operation: "revokeToken",
    name: "revoke",
    summary: "Revoke a connection",
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
