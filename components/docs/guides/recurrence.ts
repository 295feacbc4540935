import { today } from "@/components/docs/code/setting";
import { accepted, environmentNote, type Guide, step } from "@/components/docs/guide";
import { onePage, writtenEvent } from "@/components/docs/quickstart-responses";
import type { OpenApiDocument } from "@/server/http/openapi/document-shape";
import { stableId } from "@/server/http/openapi/examples/stable";

const DAY_MS = 24 * 60 * 60 * 1000;
const url = "{API}/v1/calendars/{CALENDAR}/events";

/** Rules, skipped and changed occurrences, and how series are read. */
export function recurrenceGuide(document: OpenApiDocument): Guide {
  return {
    name: "Recurrence",
    path: "/docs/recurrence",
    title: "Recurring events",
    lead: "You write one event with a rule. Reads return an event for each occurrence, so your application never expands rules.",
    sections: [
      {
        id: "write",
        title: "Write a series",
        blocks: [
          "`start` and `end` are the first occurrence, which has to match the rule. A series with times needs a `tzid`, and keeps its local time when the clocks change.",
          environmentNote,
          step({
            name: "Every day, five times",
            before: today,
            request: {
              method: "POST",
              url,
              token: true,
              json: {
                event_id: "standup",
                summary: "Standup",
                tzid: "Etc/UTC",
                start: "{DAY}T09:00:00Z",
                end: "{DAY}T09:15:00Z",
                recurrence: { rules: [{ frequency: "daily", count: 5 }] },
              },
              showsStatus: true,
              set: ["DAY"],
            },
            response: accepted,
          }),
          [
            "| Field of a rule | Meaning |",
            "|---|---|",
            "| `frequency` | `daily`, `weekly`, `monthly` or `yearly` |",
            "| `interval` | every so many of them; 1 if omitted |",
            "| `count` | the number of occurrences, including the first |",
            "| `until` | the last day, inclusive, in the event's zone; instead of `count` |",
            "| `by_day` | weekly: on these days. Monthly: on the nth of a weekday, such as the last Friday |",
          ].join("\n"),
          "Without `count` or `until`, a series never ends. A monthly rule can't start on the 29th to 31st, and a yearly one not on 29 February: use `by_day` with `nth_of_period` -1 for the end of a month.",
        ],
      },
      {
        id: "change",
        title: "Change or skip one occurrence",
        blocks: [
          "An occurrence is named by its `occurrence_date`: its original day in the series' zone, even if it was moved. Reads return it on every occurrence.",
          step({
            name: "Move one occurrence",
            before: today,
            request: {
              method: "POST",
              url: `${url}/occurrences`,
              token: true,
              json: {
                event_id: "standup",
                occurrence_date: "{DAY}",
                start: "{DAY}T10:00:00Z",
                end: "{DAY}T10:15:00Z",
              },
              showsStatus: true,
              set: ["DAY"],
            },
            response: accepted,
          }),
          step({
            name: "Skip one occurrence",
            before: today,
            request: {
              method: "DELETE",
              url,
              token: true,
              json: { event_id: "standup", occurrence_date: "{DAY}" },
              showsStatus: true,
              set: ["DAY"],
            },
            response: accepted,
          }),
          "You can also send all exceptions with the series, in `recurrence.exceptions`: `add` lists skipped days and `change` changed ones. A list you send replaces the one there is; a list you omit stays.",
        ],
      },
      {
        id: "replace",
        title: "Change the whole series",
        blocks: [
          "Send the event again with the same `event_id`. If you omit `recurrence`, the rule stays; `null` makes it a single event. Exceptions on days that a new rule no longer has are dropped.",
          "There is no “this and all following”: end the first series with `until`, and create a second one from that day on.",
        ],
      },
      {
        id: "read",
        title: "Read occurrences",
        blocks: [
          step({
            name: "List the occurrences",
            request: {
              method: "GET",
              url: "{API}/v1/events",
              query: [
                ["tzid", "Etc/UTC"],
                ["only_managed", "true"],
              ],
              token: true,
            },
            response: onePage(
              "events",
              [1, 2, 3, 4].map((nth) => standup(document, nth)),
            ),
          }),
          [
            "| Field | On | Meaning |",
            "|---|---|---|",
            "| `recurring` | every event | `true` if it is an occurrence |",
            "| `series_identifier` | occurrences | the same on all occurrences of one series |",
            "| `occurrence_date` | occurrences | the original day: what to change or skip it by |",
            "| `recurrence` | the first occurrence of your series | the rule as you sent it |",
            "| `series_master` | occurrences of your series | the first occurrence |",
          ].join("\n"),
          "Series that users create can have any rule: you get their occurrences all the same. [Providers](/docs/providers#series) lists what differs.",
        ],
      },
    ],
  };
}

const FIRST_LEFT = 1;

/** An occurrence of the series above, so many days after its first, which was skipped. */
function standup(document: OpenApiDocument, nth: number) {
  const uid = (day: number) => stableId("evt", 20 + day);
  return writtenEvent(document, 20 + nth, (start) => {
    const day = new Date(Date.parse(start) + nth * DAY_MS).toISOString().slice(0, 10);
    return {
      event_id: "standup",
      summary: "Standup",
      start: `${day}T09:00:00Z`,
      end: `${day}T09:15:00Z`,
      recurring: true,
      ...(nth === FIRST_LEFT && { recurrence: { rules: [{ frequency: "daily", count: 5 }] } }),
      series_identifier: stableId("evt", 20),
      series_master: { event_id: "standup", event_uid: uid(FIRST_LEFT) },
      occurrence_date: day,
    };
  });
}
