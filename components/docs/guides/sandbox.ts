import { today } from "@/components/docs/code/setting";
import {
  accepted,
  code,
  environmentNote,
  type Guide,
  isSandboxOff,
  type Section,
  type Step,
  step,
} from "@/components/docs/guide";
import { durationWords } from "@/server/domain/time/duration-words";
import { VISIT_MS, VISITOR_BODY } from "@/server/domain/visitors";
import type { OpenApiDocument } from "@/server/http/openapi/document-shape";
import { VISITOR } from "@/server/http/rate-limit/buckets";
import { SLOWEST_FOR_VISITORS_MS, SLOWEST_MS } from "@/server/http/sandbox-fault";
import { MOST_SLEEPERS } from "@/server/http/sleepers";

function change(name: string, json: object): Step {
  const url = "{API}/v1/sandbox/changes";
  return step({ name, request: { method: "POST", url, token: true, json, showsStatus: true }, response: accepted });
}

/** How an application is tested without a calendar provider. */
export function sandboxGuide(document: OpenApiDocument): Guide {
  const isOff = isSandboxOff(document);
  return {
    name: "Sandbox",
    path: "/docs/sandbox",
    title: "Sandbox",
    lead: `${isOff ? "The sandbox is off on this service. " : ""}Application calendars have no provider, so nobody else changes them. In the sandbox you play that person, and you ask for the faults that your application has to survive.`,
    sections: [
      ...(isOff ? [offSection()] : []),
      {
        id: "changes",
        title: "Play another person",
        blocks: [
          "The change shows in reads at once, and your channels are notified about a second later, signed and retried like every other notification.",
          environmentNote,
          step({
            name: "Somebody invites the user",
            before: today,
            request: {
              method: "POST",
              url: "{API}/v1/sandbox/changes",
              token: true,
              json: {
                type: "event_created",
                calendar_id: "{CALENDAR}",
                event: { summary: "Kick-off", start: "{DAY}T14:00:00Z", end: "{DAY}T15:00:00Z" },
                organizer: { email: "ada@acme.io", display_name: "Ada" },
              },
              showsStatus: true,
              set: ["DAY"],
            },
            response: accepted,
          }),
          [
            "| `type` | What happens | Needs | Notification |",
            "|---|---|---|---|",
            "| `event_created` | Someone adds an event. With `organizer`, the user is invited and hasn't answered. | `calendar_id`, `event` | `change` |",
            "| `event_changed` | Someone replaces what an event says, whoever wrote it. | `calendar_id`, `event_id` or `event_uid`, `event` | `change` |",
            "| `event_deleted` | Someone deletes an event. | `calendar_id`, `event_id` or `event_uid` | `change` |",
            "| `guest_replied` | A guest replies, or the user does. | `calendar_id`, `event_id` or `event_uid`, `email`, `status` | `change` |",
            "| `meeting_link_created` | The calendar, or someone else, adds a meeting link. | `calendar_id`, `event_id` or `event_uid`; optional `join_url` | `change`, unless your write asked for the link |",
            "| `calendar_changed` | The calendar becomes read-only or writable again (`calendar_readonly`), or adds meeting links from now on (`calendar_integrated_conferencing_available`). | `calendar_id`, `calendar` | `change` |",
            "| `calendar_deleted` | The calendar is deleted with its events. It stays listed with `calendar_deleted`. | `calendar_id` | `change` |",
            "| `calendar_restored` | The calendar is there again, empty. | `calendar_id` | `change` |",
            "| `profile_disconnected` | The provider ends the connection. |  | `profile_disconnected` |",
            "| `profile_reconnected` | The user connects the calendar account again. |  |  |",
            "| `initial_sync_started` | The profile looks newly connected. |  |  |",
            "| `initial_sync_completed` | The first sync ends. |  | `profile_initial_sync_completed` |",
          ].join("\n"),
          "`event` has the fields of a [write](/docs/reference/writeEvent), recurrence included, and `event_private`. `event_id` names an event that your application wrote, and `event_uid` any event as reads return it.",
          "Other people can change events in a calendar that you can only read:",
          change("The calendar becomes read-only", {
            type: "calendar_changed",
            calendar_id: "{CALENDAR}",
            calendar: { calendar_readonly: true },
          }),
          change("The calendar can be written again", {
            type: "calendar_changed",
            calendar_id: "{CALENDAR}",
            calendar: { calendar_readonly: false },
          }),
          change("The connection ends", { type: "profile_disconnected" }),
          change("The connection comes back", { type: "profile_reconnected" }),
        ],
      },
      {
        id: "faults",
        title: "Ask for a fault",
        blocks: [
          "Send the header `Svc-Sandbox-Fault` with any request to an application calendar. The response repeats it.",
          [
            "| Value | What happens |",
            "|---|---|",
            "| `rate_limited` | 429 with `Retry-After` |",
            "| `unavailable` | 503 with `Retry-After` |",
            `| \`slow=3000\` | The response comes that many milliseconds later, up to ${SLOWEST_MS.toLocaleString("en")} (${SLOWEST_FOR_VISITORS_MS.toLocaleString("en")} in “Try it”). If you close the connection, nothing is done. An account can have ${MOST_SLEEPERS.account} such requests at once; the next gets a 429. |`,
            "| `write_refused` | The write gets its 202. Then the event is restored, as when a provider refuses it later, and your channels get a `change`. |",
          ].join("\n"),
          step({
            name: "A request that is limited",
            request: {
              method: "GET",
              url: "{API}/v1/account",
              token: true,
              headers: { "Svc-Sandbox-Fault": "rate_limited" },
              showsStatus: true,
              isError: true,
            },
            response: code("text", "Response", [
              "HTTP/1.1 429 Too Many Requests",
              "Retry-After: 1",
              "Svc-Sandbox-Fault: rate_limited",
            ]),
          }),
        ],
      },
      {
        id: "where",
        title: "Where it works",
        blocks: [
          "Only in application calendars: accounts with a provider get a 403, and the header has no effect on them. On your own Almanac, `SANDBOX=off` switches both off, and “Try it” with them.",
        ],
      },
      ...(isOff ? [] : [trySection()]),
    ],
  };
}

/** What works without it. */
function offSection(): Section {
  return {
    id: "off",
    title: "Off on this service",
    blocks: [
      "Your Almanac administrator has switched it off with `SANDBOX=off`: requests to `/v1/sandbox/changes` get an empty 404, and `Svc-Sandbox-Fault` has no effect. Everything else on this page describes an Almanac that has it on, as it is by default: [run one](/docs/production) on your own machine, or ask your administrator.",
      "- **Webhooks**: send yourself a [test event](/docs/webhooks#local). It is signed and retried like any other notification.\n- **Changes by others**: [connect a calendar of yours](/docs#connect), and change an event in your calendar app.\n- **Your own events**: [application calendars](/docs/concepts#account) work as always.",
    ],
  };
}

function trySection(): Section {
  return {
    id: "try",
    title: "Try it",
    blocks: [
      `Examples in the [API reference](/docs/reference) have a “Try it” button. It sends the example from your browser to a calendar that is made for you and removed after about ${durationWords(VISIT_MS)}: the calendar's id is put in by itself. Without your own application you can send about ${VISITOR.burst} calls in a row, with bodies of up to ${VISITOR_BODY / 1024} KB, and create no channels.`,
    ],
  };
}
