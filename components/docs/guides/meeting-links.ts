import { today } from "@/components/docs/code/setting";
import { accepted, code, environmentNote, type Guide, step } from "@/components/docs/guide";

/** Links of video meetings: where they come from, and when they are there. */
export function meetingLinksGuide(): Guide {
  return {
    name: "Meeting links",
    path: "/docs/meeting-links",
    title: "Meeting links",
    lead: "A calendar's own meeting service adds the link. You ask for it with one field and read it a moment later.",
    sections: [
      {
        id: "add",
        title: "Add a link",
        blocks: [
          environmentNote,
          step({
            name: "Create an event with a link if the calendar has one",
            before: today,
            request: {
              method: "POST",
              url: "{API}/v1/calendars/{CALENDAR}/events",
              token: true,
              json: {
                event_id: "call-1",
                summary: "Call",
                start: "{DAY}T16:00:00Z",
                end: "{DAY}T16:30:00Z",
                conferencing: { profile_id: "default" },
              },
              showsStatus: true,
              set: ["DAY"],
            },
            response: accepted,
          }),
          [
            "| `profile_id` | What happens |",
            "|---|---|",
            "| `default` | The calendar's own link is added if it has one. Otherwise the event is written without. |",
            "| `integrated` | The same, but a calendar without links rejects it with `errors.conferencing_unavailable`. |",
            "| `none` | The link is removed. |",
          ].join("\n"),
          "`calendar_integrated_conferencing_available` of a calendar says in advance whether it has links. A later write without `conferencing` keeps the link, even if the event moves.",
        ],
      },
      {
        id: "read",
        title: "Read the link",
        blocks: [
          "The calendar creates the link after the write. Until then the event has `pending`, usually for seconds. When the link is there, your channels receive a `change`.",
          code("json", "While it is created", ['"conferencing": { "pending": true }']),
          code("json", "When it is there", [
            '"conferencing": { "provider_name": "other", "join_url": "https://meet.acme.io/abc-defg-hij" }',
          ]),
        ],
      },
      {
        id: "own",
        title: "Your own links",
        blocks: [
          "To use your own meeting service, put the address into `url` or `location.description`. Links that users add to their events are recognized in reads where the provider says what they are; [Providers](/docs/providers#meeting-links) has a table.",
        ],
      },
    ],
  };
}
