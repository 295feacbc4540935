import { daily, inUtc, named, type Scenario } from "./write-scenario";

const invites = (guest: string) => ({ ...inUtc, attendees: { invite: [{ email: guest }] } });
const day = "2025-06-11";

/** What would come twice, or be lost, if a write that the provider has carried out were carried out again. */
export const lostResponses: readonly Scenario[] = [
  {
    name: "Emails",
    event: invites("bob@example.com"),
    ...{ guest: "bob@example.com", needsProvider: true },
    steps: [
      { does: ({ write }) => write(), reads: named("Emails", 10), mails: ["invitation"] },
      { does: ({ write }) => write({ summary: "Renamed" }), reads: named("Renamed", 10), mails: ["update"] },
      { does: ({ remove }) => remove(), reads: [], mails: ["cancellation"] },
    ],
  },
  {
    name: "Deleted at once",
    event: inUtc,
    needsProvider: true,
    steps: [{ does: ({ write }) => write(), follows: ({ remove }) => remove(), reads: [] }],
  },
  {
    name: "Taken back",
    event: daily(3),
    needsProvider: true,
    steps: [
      { does: ({ write }) => write(), reads: named("Taken back", 10, 11, 12) },
      {
        does: async ({ write, skip }) => {
          await write({ location: { description: "Room 7" }, recurrence: undefined });
          await skip(day);
        },
        follows: async ({ write, others, event }) => {
          await others.describe(event, "Theirs");
          await write(daily(3, { exceptions: { add: [] } }));
        },
        reads: named("Taken back", 10, 11, 12),
        fields: { description: "Theirs" },
        seen: { location: "", description: "Theirs", skipped: [] },
        notifies: true,
      },
    ],
  },
  {
    name: "Occurrences",
    event: daily(4),
    needsProvider: true,
    steps: [
      { does: ({ write }) => write(), reads: named("Occurrences", 10, 11, 12, 13) },
      {
        does: ({ change }) => change(day, { summary: "Renamed" }),
        reads: [...named("Occurrences", 10), ...named("Renamed", 11), ...named("Occurrences", 12, 13)],
        seen: { changed: { [day]: ["2025-06-11T14:00", "Renamed"] } },
      },
      {
        does: ({ skip }) => skip(day),
        ...{ reads: named("Occurrences", 10, 12, 13), seen: { changed: {}, skipped: [day] } },
      },
    ],
  },
];
