import { type Example, known } from "@/server/http/openapi/examples/example";
import { stableId } from "@/server/http/openapi/examples/stable";

const path = { calendar_id: known.calendarId };

const standup = {
  event_id: "standup",
  summary: "Stand-up",
  start: { time: "2025-06-03T09:30:00", tzid: "Europe/Paris" },
  end: { time: "2025-06-03T09:45:00", tzid: "Europe/Paris" },
  tzid: "Europe/Paris",
};

/** Writing events, in an application calendar unless said otherwise. */
export const eventExamples: readonly Example[] = [
  {
    operation: "writeEvent",
    name: "meeting",
    summary: "A meeting with guests and a place",
    path,
    body: {
      event_id: "review-2025-06",
      summary: "Quarterly review",
      description: "Figures first, then plans.",
      start: "2025-06-04T13:00:00Z",
      end: "2025-06-04T14:00:00Z",
      tzid: "Europe/Paris",
      location: { description: "Room 42" },
      url: "https://app.acme.io/meetings/review-2025-06",
      attendees: { invite: [{ email: "grace@acme.io", display_name: "Grace" }, { email: "alan@acme.io" }] },
      notify_attendees: false,
    },
    status: 202,
  },
  {
    operation: "writeEvent",
    name: "all_day",
    summary: "An all-day event that is shown as free",
    path,
    body: {
      event_id: "offsite",
      summary: "Offsite",
      start: "2025-06-10",
      end: "2025-06-12",
      transparency: "transparent",
    },
    status: 202,
  },
  {
    operation: "writeEvent",
    name: "repeating",
    summary: "Three Tuesdays, one of them skipped",
    path,
    body: {
      ...standup,
      recurrence: {
        rules: [{ frequency: "weekly", count: 4, by_day: [{ day: "tuesday" }] }],
        exceptions: { add: [{ date: "2025-06-17" }] },
      },
    },
    status: 202,
  },
  {
    operation: "writeEvent",
    name: "meeting_link",
    summary: "With the calendar's own meeting link",
    as: "connected",
    path: { calendar_id: known.connectedCalendarId },
    body: {
      event_id: "interview",
      summary: "Interview",
      start: "2025-06-05T08:00:00Z",
      end: "2025-06-05T09:00:00Z",
      conferencing: { profile_id: "integrated" },
    },
    status: 202,
  },
  {
    operation: "writeEvent",
    name: "mistakes",
    summary: "Every mistake is named at once",
    path,
    body: {
      event_id: "broken",
      start: "2025-06-04T14:00:00Z",
      end: "2025-06-04T13:00:00Z",
      attendees: { invite: [{ email: "grace" }] },
      recurrence: { rules: [{ frequency: "hourly", interval: 0 }] },
    },
    status: 422,
  },
  {
    operation: "writeEvent",
    name: "no_meeting_links",
    summary: "The calendar has no meeting links of its own, and sends no invitations",
    path,
    body: {
      ...standup,
      attendees: { invite: [{ email: "grace@acme.io" }] },
      conferencing: { profile_id: "integrated" },
    },
    status: 422,
  },
  {
    operation: "writeEvent",
    name: "read_only",
    summary: "A calendar that is read-only",
    as: "connected",
    path: { calendar_id: known.readonlyCalendarId },
    body: standup,
    status: 403,
  },
  {
    operation: "writeEvent",
    name: "unknown_calendar",
    summary: "A calendar that the account does not have",
    path: { calendar_id: stableId("cal", 99) },
    body: standup,
    status: 404,
  },
  {
    operation: "changeOccurrence",
    name: "moved",
    summary: "One day is later, and elsewhere",
    path,
    body: {
      event_id: "standup",
      occurrence_date: "2025-06-10",
      start: { time: "2025-06-10T11:00:00", tzid: "Europe/Paris" },
      end: { time: "2025-06-10T11:15:00", tzid: "Europe/Paris" },
      location: { description: "Garden" },
    },
    status: 202,
  },
  {
    operation: "changeOccurrence",
    name: "not_an_occurrence",
    summary: "A day that the series does not have",
    path,
    body: { event_id: "standup", occurrence_date: "2025-06-11", summary: "Stand-up (short)" },
    status: 422,
  },
  {
    operation: "changeOccurrence",
    name: "nothing_changes",
    summary: "Nothing to change",
    path,
    body: { event_id: "standup", occurrence_date: "2025-06-10" },
    status: 422,
  },
  {
    operation: "changeOccurrence",
    name: "unknown_event",
    summary: "An event that the application has not written",
    path,
    body: { event_id: "unknown", occurrence_date: "2025-06-10", summary: "Stand-up" },
    status: 404,
  },
];
