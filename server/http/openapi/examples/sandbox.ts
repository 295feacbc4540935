import { type Example, known } from "@/server/http/openapi/examples/example";

/** Changes by others in the sandbox, after everything else was read. */
export const sandboxExamples: readonly Example[] = [
  {
    operation: "changeInSandbox",
    name: "invitation",
    summary: "Someone invites the user",
    body: {
      type: "event_created",
      calendar_id: known.calendarId,
      event: { summary: "Kick-off", start: "2025-06-06T05:00:00Z", end: "2025-06-06T06:00:00Z", tzid: "Asia/Tokyo" },
      organizer: { email: "ada@acme.io", display_name: "Ada" },
    },
    status: 202,
  },
  {
    operation: "changeInSandbox",
    name: "deleted",
    summary: "The user deletes an event that your application wrote",
    needs: "all_day",
    body: { type: "event_deleted", calendar_id: known.calendarId, event_id: "offsite" },
    status: 202,
  },
  {
    operation: "changeInSandbox",
    name: "meeting_link",
    summary: "Someone adds a meeting link",
    needs: "repeating",
    body: {
      type: "meeting_link_created",
      calendar_id: known.calendarId,
      event_id: "standup",
      join_url: "https://meet.acme.io/standup",
    },
    status: 202,
  },
  {
    operation: "changeInSandbox",
    name: "mistakes",
    summary: "A reply without its event",
    body: { type: "guest_replied", calendar_id: known.calendarId, email: "grace@acme.io" },
    status: 422,
  },
];

/** While there is an account with a provider: reading ends with its revocation. */
export const refusedSandboxExamples: readonly Example[] = [
  {
    operation: "changeInSandbox",
    name: "real_calendar",
    summary: "An account with a provider",
    as: "connected",
    body: { type: "profile_disconnected" },
    status: 403,
  },
];
