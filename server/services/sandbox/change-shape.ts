import { z } from "zod";
import { MAX_GUEST_NAME, MAX_ID, MAX_URL } from "@/server/domain/text-limits";
import { accountEmail, email } from "@/server/services/events/write/guests-field";
import { eventContent, eventId } from "@/server/services/events/write/input";
import { always, link, refused, text } from "@/server/services/fields";

const replies = ["accepted", "declined", "tentative", "needs_action"] as const;

/** The fields that each change needs beside its type. `target`: `event_id` or `event_uid`. */
const needs = {
  event_created: ["calendar_id", "event"],
  event_changed: ["calendar_id", "target", "event"],
  event_deleted: ["calendar_id", "target"],
  guest_replied: ["calendar_id", "target", "email", "status"],
  meeting_link_created: ["calendar_id", "target"],
  calendar_changed: ["calendar_id", "calendar"],
  calendar_deleted: ["calendar_id"],
  calendar_restored: ["calendar_id"],
  profile_disconnected: [],
  profile_reconnected: [],
  profile_delayed: [],
  profile_recovered: [],
  writes_sent: [],
  initial_sync_started: [],
  initial_sync_completed: [],
} as const;

export type SandboxChangeType = keyof typeof needs;
export const sandboxChangeTypes = Object.keys(needs) as [SandboxChangeType, ...SandboxChangeType[]];

/** The body of POST /v1/sandbox/changes. */
export const sandboxChangeBody = z
  .object({
    type: z.enum(sandboxChangeTypes).describe("What another person or the provider does."),
    calendar_id: text({ min: 1, max: MAX_ID }).describe("Required for changes of calendars and events.").optional(),
    event_id: eventId.describe("An event that your application wrote.").optional(),
    event_uid: text({ min: 1, max: MAX_ID }).describe("Any event, as reads name it.").optional(),
    event: eventContent
      .describe(
        "The event after the change, with the fields of a write and `event_private`. Guests are changed as in a write.",
      )
      .optional(),
    organizer: z
      .object({ email, display_name: text({ max: MAX_GUEST_NAME }).nullish() })
      .describe("For `event_created`: who invites the user. If omitted, the user created the event.")
      .optional(),
    email: accountEmail.describe("The guest who replies, or the user's own address.").optional(),
    status: z.enum(replies).describe("The reply.").optional(),
    join_url: link({ min: 1, max: MAX_URL })
      .describe("For `meeting_link_created`: where the meeting is. If omitted, an address at `meet.example.com`.")
      .optional(),
    calendar: z
      .object({
        calendar_readonly: z.boolean().describe("Whether writes get a 403.").optional(),
        calendar_integrated_conferencing_available: z
          .boolean()
          .describe("Whether the calendar adds its own meeting links. A link that a write asks for stays pending.")
          .optional(),
      })
      .describe("For `calendar_changed`: the calendar after the change. Omitted fields stay unchanged.")
      .optional(),
  })
  .superRefine(checkRequiredFields, always);

export type SandboxChangeBody = z.output<typeof sandboxChangeBody>;

/** Reports missing fields, even if other fields are invalid. */
function checkRequiredFields(value: unknown, { issues }: { issues: z.core.$ZodRawIssue[] }): void {
  const sent = (value ?? {}) as Partial<Record<string, unknown>>;
  const fields: readonly string[] = needs[sent.type as SandboxChangeType] ?? [];
  for (const field of fields) {
    const names = field === "target" ? ["event_id", "event_uid"] : [field];
    const present = names.filter((name) => sent[name] !== undefined);
    if (present.length === 1) continue;
    const path = [names[0] ?? field];
    if (present.length === 0) issues.push({ ...refused(value, { key: "errors.required" }, "is required"), path });
    else issues.push({ ...refused(value, { key: "errors.invalid" }, "cannot be sent with event_uid"), path });
  }
}
