import { EVENT_BODY } from "@/server/http/read-body";
import { sandboxErrors } from "@/server/http/routes/event-errors";
import type { Route } from "@/server/http/routes/route";

export const changeInSandbox: Route = {
  id: "changeInSandbox",
  method: "post",
  path: "/v1/sandbox/changes",
  tag: "Sandbox",
  summary: "Simulate a change",
  description: `Changes an application calendar as another person or a provider would: the change shows in reads, and your channels are notified of it within seconds.

- \`event_created\` adds an event created by someone else. With \`organizer\`, it is an invitation that the user has not responded to.
- \`event_changed\` replaces the content of an event, and \`event_deleted\` deletes it, whoever wrote it.
- \`guest_replied\` sets a guest's reply, or the user's own.
- \`meeting_link_created\` adds a meeting link. If your write asked for the link, no notification is sent.
- \`calendar_changed\` makes the calendar read-only or writable again, or lets it add meeting links, as \`calendar\` says.
- \`calendar_deleted\` deletes the calendar with its events, and \`calendar_restored\` brings it back, empty.
- \`profile_disconnected\` and \`profile_reconnected\` end and restore the connection. The first is notified.
- \`profile_delayed\` makes the profile's status \`delayed\`, as after two failed reads, and \`profile_recovered\` ends that.
- \`writes_sent\` sends the writes that \`Svc-Sandbox-Fault: write_pending\` has held.
- \`initial_sync_started\` shows the profile as newly connected. \`initial_sync_completed\` ends that and is notified.

Repeating a change has no effect, except that \`event_created\` adds another event. Works only in application calendars, and only if the sandbox is on.`,
  credential: "bearer",
  body: { schema: "SandboxChange", limit: EVENT_BODY },
  responses: {
    202: { description: "Changed. Notifications follow." },
    403: { description: "The account is not an application calendar.", schema: ["Forbidden"] },
    404: { description: "The account has no calendar with this id, it was deleted, or the sandbox is off." },
  },
  errors: sandboxErrors,
  call: (api, { body }) => api.sandbox.change(body),
};
