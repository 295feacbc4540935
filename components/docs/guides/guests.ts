import { today } from "@/components/docs/code/setting";
import { accepted, environmentNote, type Guide, isSandboxOff, step } from "@/components/docs/guide";
import { limits } from "@/server/http/limits";
import type { OpenApiDocument } from "@/server/http/openapi/document-shape";

const played = [
  "In the [sandbox](/docs/sandbox), you reply yourself:",
  step({
    name: "The guest accepts",
    request: {
      method: "POST",
      url: "{API}/v1/sandbox/changes",
      token: true,
      json: {
        type: "guest_replied",
        calendar_id: "{CALENDAR}",
        event_id: "review-1",
        email: "grace@acme.io",
        status: "accepted",
      },
      showsStatus: true,
    },
    response: accepted,
  }),
];

/** Who is invited, who sends the invitations, and how replies come back. */
export function guestsGuide(document: OpenApiDocument): Guide {
  return {
    name: "Guests",
    path: "/docs/guests",
    title: "Guests and invitations",
    lead: "You name the guests, and the calendar's provider sends the invitations. Replies come back as changes.",
    sections: [
      {
        id: "invite",
        title: "Invite guests",
        blocks: [
          `\`attendees\` describes a change: \`invite\` adds guests, \`remove\` removes them, and everyone else stays. A guest listed in both is removed. An event can have up to ${limits.guests} guests. If you omit \`attendees\`, nothing changes, and replies are always kept.`,
          environmentNote,
          step({
            name: "Create an event with a guest",
            before: today,
            request: {
              method: "POST",
              url: "{API}/v1/calendars/{CALENDAR}/events",
              token: true,
              json: {
                event_id: "review-1",
                summary: "Quarterly review",
                start: "{DAY}T13:00:00Z",
                end: "{DAY}T14:00:00Z",
                attendees: { invite: [{ email: "grace@acme.io", display_name: "Grace" }] },
                notify_attendees: false,
              },
              showsStatus: true,
              set: ["DAY"],
            },
            response: accepted,
          }),
          "Application calendars have no provider that could send invitations, so this example has `notify_attendees` set to `false`. Omit it in a user's calendar.",
        ],
      },
      {
        id: "notify",
        title: "Who is notified",
        blocks: [
          "The calendar's provider sends invitations, updates and cancellations in the user's name. Almanac sends no email. With `notify_attendees` set to `false` the write is silent, where the provider can do that: others reject it with `errors.notify_attendees_unsupported`. A calendar that sends no invitations at all rejects guests with `errors.attendees_unsupported`. [Providers](/docs/providers#guests) has a table.",
        ],
      },
      {
        id: "replies",
        title: "Replies",
        blocks: [
          "A reply is a `change`. Read the event with `include_managed=true`: each of its `attendees` has a `status`, and `participation_status` is the calendar owner's own.",
          ...(isSandboxOff(document) ? [] : played),
          [
            "| `status` | Meaning |",
            "|---|---|",
            "| `needs_action` | invited, no reply yet |",
            "| `accepted`, `declined`, `tentative` | the reply |",
            "| `unknown` | the calendar doesn't say |",
          ].join("\n"),
          "An invitation that the calendar's owner declined is never busy.",
        ],
      },
      {
        id: "organizer",
        title: "Organizer",
        blocks: [
          "The owner of the calendar in which an event is created organizes it. An event that the owner was invited to has another `organizer`: you can read it, and its `options` say what is possible.",
        ],
      },
    ],
  };
}
