import { at, daily, named, type Scenario } from "./write-scenario";

const on = (day: number, time = "14:00") => `2025-06-${day}T${time}:00`;
const date = (day: number) => `2025-06-${day}`;
const later = (day: number) => ({ start: `${date(day)}T13:00:00Z`, end: `${date(day)}T13:30:00Z` });

/** Other people cancel, move, rename and mark occurrences of the application's series, which then writes it. */
const daysOfOthers = (name: string, more: { isRead?: true } = {}): Scenario => {
  const renamed = named("Renamed", 10);
  return {
    name,
    event: daily(6),
    steps: [
      { does: ({ write }) => write(), reads: named(name, 10, 11, 12, 13, 14, 15) },
      {
        ...more,
        others: async ({ others, event }) => {
          await others.cancelOccurrence(event, on(11));
          await others.moveOccurrence(event, on(12), { start: on(12, "20:00"), end: on(12, "21:00") });
          await others.renameOccurrence(event, on(13), "Theirs");
          await others.mark(event, on(14));
        },
        does: ({ write }) => write({ summary: "Renamed", recurrence: undefined }),
        reads: [...renamed, ["2025-06-12T20:00", "Renamed"], ...named("Theirs", 13), ...named("Renamed", 14, 15)],
        fields: { event_id: name, recurrence: { rules: [{ frequency: "daily", count: 6 }] } },
        seen: {
          ...{ summary: "Renamed", isSeries: true, skipped: [date(11)], marks: [date(14)] },
          changed: { [date(12)]: ["2025-06-12T20:00", "Renamed"], [date(13)]: ["2025-06-13T14:00", "Theirs"] },
        },
        notifies: true,
      },
    ],
  };
};

/** What a write of the application's leaves of what others put into its series. */
export const keptSeries: readonly Scenario[] = [
  daysOfOthers("Days of others"),
  daysOfOthers("Days of others that were read", { isRead: true }),
  {
    name: "Days of both",
    event: daily(6),
    needsProvider: true,
    steps: [
      { does: ({ write }) => write(), reads: named("Days of both", 10, 11, 12, 13, 14, 15) },
      {
        others: async ({ others, event }) => {
          await others.cancelOccurrence(event, on(11));
          await others.moveOccurrence(event, on(12), { start: on(12, "20:00"), end: on(12, "21:00") });
          await others.mark(event, on(15));
        },
        does: async ({ skip, change }) => {
          await skip(date(13));
          await change(date(14), { ...later(14), summary: "Later" });
        },
        reads: [
          ...named("Days of both", 10),
          ["2025-06-12T20:00", "Days of both"],
          ["2025-06-14T15:00", "Later"],
          ...named("Days of both", 15),
        ],
        seen: {
          ...{ skipped: [date(11), date(13)], marks: [date(15)] },
          changed: {
            [date(12)]: ["2025-06-12T20:00", "Days of both"],
            [date(14)]: ["2025-06-14T15:00", "Later"],
          },
        },
        notifies: true,
      },
    ],
  },
  {
    name: "The same days",
    event: daily(6),
    needsProvider: true,
    steps: [
      { does: ({ write }) => write(), reads: named("The same days", 10, 11, 12, 13, 14, 15) },
      { does: ({ skip }) => skip(date(11)), reads: named("The same days", 10, 12, 13, 14, 15) },
      {
        others: ({ others, event }) => others.cancelOccurrence(event, on(12)),
        does: async ({ change }) => {
          await change(date(11), later(11));
          await change(date(12), later(12));
        },
        reads: [
          ...named("The same days", 10),
          ["2025-06-11T15:00", "The same days"],
          ["2025-06-12T15:00", "The same days"],
          ...named("The same days", 13, 14, 15),
        ],
        seen: { skipped: [] },
      },
    ],
  },
  {
    name: "Moved on",
    event: daily(3),
    needsProvider: true,
    steps: [
      { does: ({ write }) => write(), reads: named("Moved on", 10, 11, 12) },
      {
        does: ({ change }) => change(date(11), later(11)),
        reads: [...named("Moved on", 10), ["2025-06-11T15:00", "Moved on"], ...named("Moved on", 12)],
      },
      {
        others: ({ others, event }) =>
          others.moveOccurrence(event, on(11), { start: on(11, "18:00"), end: on(11, "18:30") }),
        does: ({ write }) => write({ summary: "Renamed", recurrence: undefined }),
        reads: [...named("Renamed", 10), ["2025-06-11T18:00", "Renamed"], ...named("Renamed", 12)],
        notifies: true,
      },
    ],
  },
  {
    name: "Later in the day",
    event: daily(4),
    ...{ needsProvider: true, rewritesDays: true },
    steps: [
      { does: ({ write }) => write(), reads: named("Later in the day", 10, 11, 12, 13) },
      {
        others: ({ others, event }) => others.cancelOccurrence(event, on(12)),
        does: ({ write }) => write({ start: at(date(10), "16:00"), end: at(date(10), "17:00"), recurrence: undefined }),
        reads: [10, 11, 13].map((day) => [on(day, "16:00").slice(0, 16), "Later in the day"]),
        seen: { start: "2025-06-10T16:00" },
        notifies: true,
      },
    ],
  },
  {
    name: "Days of their rule",
    event: daily(6),
    needsProvider: true,
    steps: [
      { does: ({ write }) => write(), reads: named("Days of their rule", 10, 11, 12, 13, 14, 15) },
      {
        others: ({ others, event }) => others.repeat(event, { interval: 1, count: 4 }),
        reads: named("Days of their rule", 10, 11, 12, 13),
        notifies: true,
      },
      {
        does: async ({ skip, change, hasNot }) => {
          await skip(date(11));
          await skip(date(11));
          await change(date(12), { summary: "Own" });
          await hasNot(date(14));
        },
        reads: [...named("Days of their rule", 10), ...named("Own", 12), ...named("Days of their rule", 13)],
        seen: { skipped: [date(11)], changed: { [date(12)]: ["2025-06-12T14:00", "Own"] } },
      },
      {
        does: ({ change }) => change(date(11), { summary: "Back" }),
        reads: [
          ...named("Days of their rule", 10),
          ...named("Back", 11),
          ...named("Own", 12),
          ...named("Days of their rule", 13),
        ],
        seen: { skipped: [] },
      },
    ],
  },
  {
    name: "Deleted",
    event: daily(3),
    needsProvider: true,
    steps: [
      { does: ({ write }) => write(), reads: named("Deleted", 10, 11, 12) },
      {
        others: ({ others, event }) => others.cancelOccurrence(event, on(11)),
        does: ({ remove }) => remove(),
        reads: [],
      },
    ],
  },
];
