import { type Example, known } from "@/server/http/openapi/examples/example";

/** Where the feed begins, before anything was written. */
export const firstChangesExamples: readonly Example[] = [
  { operation: "listChanges", name: "now", summary: "Start now", status: 200 },
];

/** With the first events. */
export const beginningExamples: readonly Example[] = [
  {
    operation: "listChanges",
    name: "beginning",
    summary: "Start with every existing event of one calendar",
    as: "connected",
    query: { from: "beginning", "calendar_ids[]": [known.connectedCalendarId] },
    status: 200,
  },
];

/** What the other examples have changed since. */
export const changesExamples: readonly Example[] = [
  {
    operation: "listChanges",
    name: "since",
    summary: "What changed since the last call",
    query: { cursor: known.changesCursor, limit: 5 },
    status: 200,
  },
  {
    operation: "listChanges",
    name: "with_events",
    summary: "The same, with the current events",
    query: { cursor: known.changesCursor, limit: 2, include: "event" },
    status: 200,
  },
  {
    operation: "listChanges",
    name: "mistakes",
    summary: "Parameters that are not allowed",
    query: { from: "yesterday", limit: 1000 },
    isMistake: true,
    status: 422,
  },
  {
    operation: "listChanges",
    name: "forged_cursor",
    summary: "An invalid cursor",
    query: { cursor: "forged" },
    isMistake: true,
    status: 422,
  },
];
