import { at, daily, inUtc, named, type Scenario } from "./write-scenario";

/** Others fill in texts, and the application writes its event without them. */
const theirTexts = (name: string, more: { isRead?: true } = {}): Scenario => ({
  name,
  event: { ...inUtc, description: "Ours" },
  needsProvider: true,
  steps: [
    { does: ({ write }) => write(), reads: named(name, 10) },
    {
      ...more,
      others: async ({ others, event }) => {
        await others.describe(event, "Changed by them");
        await others.rename(event, { summary: event.summary, location: "Theirs" });
      },
      does: ({ write }) => write({ description: undefined, summary: "Renamed" }),
      ...{ reads: named("Renamed", 10), seen: { summary: "Renamed", location: "Theirs", description: "" } },
      fields: { location: { description: "Theirs" }, description: "" },
      notifies: true,
    },
    {
      does: ({ write }) => write({ description: undefined, summary: "Renamed again" }),
      ...{ reads: named("Renamed again", 10), seen: { location: "Theirs" } },
    },
    {
      does: ({ write }) => write({ description: undefined, location: { description: "Ours now" } }),
      ...{ reads: named(name, 10), seen: { location: "Ours now" } },
    },
    {
      does: ({ write }) => write({ description: undefined }),
      ...{ reads: named(name, 10), seen: { location: "" } },
    },
  ],
});

/** The application and another person change the same event between two syncs. */
export const mergedFields: readonly Scenario[] = [
  {
    name: "Different texts",
    event: inUtc,
    needsProvider: true,
    steps: [
      { does: ({ write }) => write(), reads: named("Different texts", 10) },
      {
        others: ({ others, event }) => others.describe(event, "Bring the plan"),
        does: ({ write }) => write({ location: { description: "Room 7" } }),
        ...{ reads: named("Different texts", 10), notifies: true },
        fields: { description: "Bring the plan", location: { description: "Room 7" } },
        seen: { description: "Bring the plan", location: "Room 7" },
      },
    ],
  },
  {
    name: "The same text",
    event: daily(3),
    needsProvider: true,
    steps: [
      { does: ({ write }) => write(), reads: named("The same text", 10, 11, 12) },
      {
        others: ({ others, event }) => others.rename(event, { summary: "Theirs", location: "" }),
        does: ({ write }) => write({ summary: "Renamed", recurrence: undefined }),
        ...{ reads: named("Renamed", 10, 11, 12), seen: { summary: "Renamed" } },
      },
    ],
  },
  {
    name: "Their time and text",
    event: inUtc,
    needsProvider: true,
    steps: [
      { does: ({ write }) => write(), reads: named("Their time and text", 10) },
      {
        others: async ({ others, event }) => {
          await others.move(event, { start: "2025-06-10T13:00:00", end: "2025-06-10T16:00:00" });
          await others.describe(event, "Bring the plan");
        },
        does: ({ write }) => write({ summary: "Renamed" }),
        reads: [["2025-06-10T13:00", "Renamed"]],
        fields: { description: "Bring the plan", end: "2025-06-10T16:00:00+02:00" },
        seen: { start: "2025-06-10T13:00", end: "2025-06-10T16:00", description: "Bring the plan" },
        notifies: true,
      },
    ],
  },
  {
    name: "Our time and their text",
    event: daily(3),
    needsProvider: true,
    steps: [
      { does: ({ write }) => write(), reads: named("Our time and their text", 10, 11, 12) },
      {
        others: ({ others, event }) => others.rename(event, { summary: "Theirs", location: "Room 3" }),
        does: ({ write }) =>
          write({ start: at("2025-06-10", "16:00"), end: at("2025-06-10", "17:00"), recurrence: undefined }),
        reads: [10, 11, 12].map((day) => [`2025-06-${day}T16:00`, "Theirs"]),
        ...{ fields: { location: { description: "Room 3" } }, seen: { summary: "Theirs", start: "2025-06-10T16:00" } },
        notifies: true,
      },
    ],
  },
  {
    name: "A series at their time",
    event: daily(6),
    needsProvider: true,
    steps: [
      { does: ({ write }) => write(), reads: named("A series at their time", 10, 11, 12, 13, 14, 15) },
      {
        others: ({ others, event }) => others.move(event, { start: "2025-06-10T17:00:00", end: "2025-06-10T18:00:00" }),
        does: ({ write }) => write({ summary: "Renamed", recurrence: undefined }),
        reads: [10, 11, 12, 13, 14, 15].map((day) => [`2025-06-${day}T17:00`, "Renamed"]),
        fields: { recurrence: { rules: [{ frequency: "daily", count: 6 }] } },
        ...{ seen: { summary: "Renamed", start: "2025-06-10T17:00" }, notifies: true },
      },
    ],
  },
  {
    name: "Our rule and their name",
    event: daily(6),
    ...{ needsProvider: true, rewritesDays: true },
    steps: [
      { does: ({ write }) => write(), reads: named("Our rule and their name", 10, 11, 12, 13, 14, 15) },
      {
        others: async ({ others, event }) => {
          await others.cancelOccurrence(event, "2025-06-12T14:00:00");
          await others.rename(event, { summary: "Theirs", location: "Room 3" });
        },
        does: ({ write }) => write({ recurrence: { rules: [{ frequency: "daily", interval: 2, count: 4 }] } }),
        reads: named("Theirs", 10, 14, 16),
        fields: { recurrence: { rules: [{ interval: 2 }] } },
        ...{ seen: { summary: "Theirs" }, notifies: true },
      },
    ],
  },
  theirTexts("Texts of others"),
  theirTexts("Texts of others that were read", { isRead: true }),
  {
    name: "Writes that follow",
    event: daily(6),
    needsProvider: true,
    steps: [
      { does: ({ write }) => write(), reads: named("Writes that follow", 10, 11, 12, 13, 14, 15) },
      {
        others: ({ others, event }) => others.repeat(event, { interval: 2, count: 6 }),
        does: async ({ write }) => {
          await write({ summary: "Second", recurrence: undefined });
          await write({ summary: "Second", description: "More", recurrence: undefined });
        },
        follows: ({ write }) => write({ summary: "Third", description: "More", recurrence: undefined }),
        reads: named("Third", 10, 12, 14, 16, 18, 20),
        ...{ fields: { description: "More" }, seen: { summary: "Third", description: "More" }, notifies: true },
      },
    ],
  },
];
