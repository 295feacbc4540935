import { daily, inUtc, named, type Scenario } from "./write-scenario";

const exceptions = { add: [{ date: "2025-06-12" }], change: [{ date: "2025-06-11", summary: "Other" }] };
const withExceptions: [string, string][] = [
  ...named("Rewritten", 10),
  ["2025-06-11T14:00", "Other"],
  ...named("Rewritten", 13, 14),
];

/** What an application and another person do to an event, and what becomes of it wherever the calendar is. */
export const writes: readonly Scenario[] = [
  {
    name: "All-day",
    event: inUtc,
    steps: [
      { does: ({ write }) => write(), reads: [["2025-06-10T14:00", "All-day"]], seen: { isSeries: false } },
      {
        does: ({ write }) => write({ start: "2025-06-12", end: "2025-06-14" }),
        ...{ reads: [["2025-06-12", "All-day"]], seen: { start: "2025-06-12", end: "2025-06-14" } },
      },
      {
        does: ({ write }) => write({ start: "2025-06-13T08:00:00Z", end: "2025-06-13T09:00:00Z" }),
        ...{ reads: [["2025-06-13T10:00", "All-day"]], seen: { start: "2025-06-13T10:00", end: "2025-06-13T11:00" } },
      },
    ],
  },
  {
    name: "Moved by others",
    event: inUtc,
    needsProvider: true,
    steps: [
      { does: ({ write }) => write(), reads: [["2025-06-10T14:00", "Moved by others"]] },
      {
        others: ({ others, event }) => others.move(event, { start: "2025-06-16T11:00:00", end: "2025-06-16T12:00:00" }),
        does: ({ write }) => write({ summary: "Renamed" }),
        ...{ reads: [["2025-06-16T11:00", "Renamed"]], seen: { summary: "Renamed", start: "2025-06-16T11:00" } },
        notifies: true,
      },
    ],
  },
  {
    name: "Days that others cancel and move",
    event: daily(5),
    steps: [
      { does: ({ write }) => write(), reads: named("Days that others cancel and move", 10, 11, 12, 13, 14) },
      {
        others: async ({ others, event }) => {
          await others.cancelOccurrence(event, "2025-06-11T14:00:00");
          const to = { start: "2025-06-12T20:00:00", end: "2025-06-12T21:00:00" };
          await others.moveOccurrence(event, "2025-06-12T14:00:00", to);
        },
        reads: [
          ...named("Days that others cancel and move", 10),
          ["2025-06-12T20:00", "Days that others cancel and move"],
          ...named("Days that others cancel and move", 13, 14),
        ],
        notifies: true,
      },
      {
        does: ({ write }) => write({ summary: "Renamed days", recurrence: undefined }),
        reads: [...named("Renamed days", 10), ["2025-06-12T20:00", "Renamed days"], ...named("Renamed days", 13, 14)],
      },
    ],
  },
  {
    name: "Rewritten",
    event: daily(5, { exceptions }),
    steps: [
      { does: ({ write }) => write(), reads: withExceptions, seen: { isSeries: true } },
      { does: ({ write }) => write({ recurrence: null }), reads: named("Rewritten", 10), seen: { isSeries: false } },
      { does: ({ write }) => write(daily(2)), reads: named("Rewritten", 10, 11), seen: { isSeries: true } },
    ],
  },
  {
    name: "Rewritten after its end",
    event: daily(5, { exceptions }),
    needsProvider: true,
    steps: [
      {
        does: ({ write }) => write(),
        reads: withExceptions.map(([start, summary]) => [
          start,
          summary === "Other" ? summary : `${summary} after its end`,
        ]),
      },
      {
        others: ({ others, event }) => others.delete(event),
        does: ({ write }) => write({ location: { description: "Room 1" }, recurrence: undefined }),
        reads: withExceptions.map(([start, summary]) => [
          start,
          summary === "Other" ? summary : `${summary} after its end`,
        ]),
      },
    ],
  },
  {
    name: "Their rule",
    event: daily(5),
    steps: [
      { does: ({ write }) => write(), reads: named("Their rule", 10, 11, 12, 13, 14) },
      {
        others: ({ others, event }) => others.repeat(event, { interval: 2, count: 2 }),
        does: ({ write }) => write({ summary: "Our name", recurrence: undefined }),
        ...{ reads: named("Our name", 10, 12), seen: { summary: "Our name" }, notifies: true },
      },
    ],
  },
];
