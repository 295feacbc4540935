import { today } from "@/components/docs/code/setting";
import { accepted, environmentNote, type Guide, recordedBody, step } from "@/components/docs/guide";
import { onePage, recordedEvent, writtenEvent } from "@/components/docs/quickstart-responses";
import type { OpenApiDocument } from "@/server/http/openapi/document-shape";

/** Times, dates and zones, in writes and in reads. */
export function timeZonesGuide(document: OpenApiDocument): Guide {
  return {
    name: "Time zones",
    path: "/docs/time-zones",
    title: "Time zones",
    lead: "An event has either times or dates. Times are instants, dates are days without a time zone, and `tzid` says in which zone an event repeats and is shown.",
    sections: [
      {
        id: "forms",
        title: "Times and dates",
        blocks: [
          [
            "| Form | Example | Use it for |",
            "|---|---|---|",
            "| Time in UTC | `2026-11-21T09:30:00Z` | an instant |",
            "| Time with an offset | `2026-11-21T10:30:00+01:00` | the same instant |",
            '| Local time with a zone | `{ "time": "2026-11-21T10:30:00", "tzid": "Europe/Berlin" }` | what the user chose in a form |',
            "| Date | `2026-11-21` | an all-day event |",
          ].join("\n"),
          "Seconds and the colon of an offset are optional: `10:30+0100` is accepted too. In a query string, escape the `+` of an offset as `%2B`.",
          "`start` and `end` are of the same kind. The end is exclusive: an event on one day ends on the next date. Zones are names of the IANA database such as `Europe/Berlin`, never offsets or abbreviations. Windows names such as `W. Europe Standard Time` are accepted too, and stored as their IANA zone.",
        ],
      },
      {
        id: "write",
        title: "Write an event in a zone",
        blocks: [
          "If you have an instant, send it with `Z` and add the event's `tzid`. If the user chose a local time, send that and let Almanac find the instant. This matters for times months ahead: the rules of a zone can change.",
          environmentNote,
          step({
            name: "Create an event in local time",
            before: today,
            request: {
              method: "POST",
              url: "{API}/v1/calendars/{CALENDAR}/events",
              token: true,
              json: {
                event_id: "breakfast-1",
                summary: "Breakfast",
                start: { time: "{DAY}T08:00:00", tzid: "Asia/Tokyo" },
                end: { time: "{DAY}T09:00:00", tzid: "Asia/Tokyo" },
              },
              showsStatus: true,
              set: ["DAY"],
            },
            response: accepted,
          }),
          "A local time that a clock change skips moves forward by as much as the clocks do, and the event keeps its length: 02:30 to 03:30 becomes 03:30 to 04:30. A local time that occurs twice is the first.",
        ],
      },
      {
        id: "all-day",
        title: "All-day events",
        blocks: [
          "Send dates. An all-day event is the same day everywhere: it has no zone and doesn't move when the reader travels.",
          step({
            name: "Create an all-day event of two days",
            request: {
              method: "POST",
              url: "{API}/v1/calendars/{CALENDAR}/events",
              token: true,
              json: recordedBody(document, "writeEvent", "all_day"),
              showsStatus: true,
            },
            response: accepted,
          }),
        ],
      },
      {
        id: "read",
        title: "Read in a zone",
        blocks: [
          "`tzid` is required in reads: it is the zone of dates in `from` and `to`, and decides on which day an all-day event is busy. Times come back in UTC. With `localized_times=true` they have the offset of `tzid` at that time.",
          step({
            name: "List events in local times",
            request: {
              method: "GET",
              url: "{API}/v1/events",
              query: [
                ["tzid", "Asia/Tokyo"],
                ["localized_times", "true"],
                ["include_managed", "true"],
              ],
              token: true,
            },
            response: onePage("events", [breakfast(document), recordedEvent(document)]),
          }),
          "To compare two events, compare instants, never the texts: `10:30+01:00` and `09:30Z` are the same time.",
        ],
      },
      {
        id: "series",
        title: "Recurring events",
        blocks: [
          "A series with times needs a `tzid` and keeps its local time: a meeting at 9:00 in Berlin stays at 9:00 when the clocks change, and its time in UTC moves. See [Recurrence](/docs/recurrence).",
        ],
      },
    ],
  };
}

function breakfast(document: OpenApiDocument) {
  return writtenEvent(document, 20, (day) => ({
    event_id: "breakfast-1",
    summary: "Breakfast",
    start: `${day}T08:00:00+09:00`,
    end: `${day}T09:00:00+09:00`,
  }));
}
