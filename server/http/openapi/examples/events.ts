import { type Example, known } from "@/server/http/openapi/examples/example";
import { stableId } from "@/server/http/openapi/examples/stable";

const path = { calendar_id: known.calendarId };

/** Its time zone has no daylight saving time, so that the examples can be moved by weeks (dates.ts). */
const standup = {
  event_id: "standup",
  summary: "Stand-up",
  start: { time: "2025-06-03T09:30:00", tzid: "Asia/Tokyo" },
  end: { time: "2025-06-03T09:45:00", tzid: "Asia/Tokyo" },
  tzid: "Asia/Tokyo",
};

/** Writing events, in an application calendar unless said otherwise. */
export const eventExamples: readonly Example[] = [
  {
    operation: "writeEvent",
    name: "meeting",
    summary: "A meeting with guests and a location",
    path,
    body: {
      event_id: "quarterly-review",
      summary: "Quarterly review",
      description: "Figures first, then plans.",
      start: "2025-06-04T05:00:00Z",
      end: "2025-06-04T06:00:00Z",
      tzid: "Asia/Tokyo",
      location: { description: "Room 42" },
      url: "https://app.acme.io/meetings/quarterly-review",
      attendees: { invite: [{ email: "grace@acme.io", display_name: "Grace" }, { email: "alan@acme.io" }] },
      notify_attendees: false,
    },
    status: 202,
  },
  {
    operation: "writeEvent",
    name: "all_day",
    summary: "An all-day event, shown as free",
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
    summary: "Four Tuesdays, one of them skipped",
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
    summary: "A meeting with the calendar's own meeting link",
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
    isMistake: true,
    summary: "An invalid event: all errors at once",
    path,
    body: {
      event_id: "broken",
      start: "2025-06-04T06:00:00Z",
      end: "2025-06-04T05:00:00Z",
      attendees: { invite: [{ email: "grace" }] },
      recurrence: { rules: [{ frequency: "hourly", interval: 0 }] },
    },
    status: 422,
  },
  {
    operation: "writeEvent",
    name: "no_meeting_links",
    summary: "The calendar has no meeting links and sends no invitations",
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
    summary: "A read-only calendar",
    as: "connected",
    path: { calendar_id: known.readonlyCalendarId },
    body: standup,
    status: 403,
  },
  {
    operation: "writeEvent",
    name: "unknown_calendar",
    summary: "An unknown calendar",
    path: { calendar_id: stableId("cal", 99) },
    body: standup,
    status: 404,
  },
  {
    operation: "changeOccurrence",
    name: "moved",
    summary: "Move one occurrence to another time and location",
    path,
    needs: "repeating",
    body: {
      event_id: "standup",
      occurrence_date: "2025-06-10",
      start: { time: "2025-06-10T11:00:00", tzid: "Asia/Tokyo" },
      end: { time: "2025-06-10T11:15:00", tzid: "Asia/Tokyo" },
      location: { description: "Garden" },
    },
    status: 202,
  },
  {
    operation: "changeOccurrence",
    name: "not_an_occurrence",
    summary: "A day that is not in the series",
    path,
    needs: "repeating",
    body: { event_id: "standup", occurrence_date: "2025-06-11", summary: "Stand-up (short)" },
    status: 422,
  },
  {
    operation: "changeOccurrence",
    name: "nothing_changes",
    summary: "Nothing to change",
    path,
    needs: "repeating",
    body: { event_id: "standup", occurrence_date: "2025-06-10" },
    status: 422,
  },
  {
    operation: "changeOccurrence",
    name: "unknown_event",
    summary: "An event your application did not create",
    path,
    body: { event_id: "unknown", occurrence_date: "2025-06-10", summary: "Stand-up" },
    status: 404,
  },
];
