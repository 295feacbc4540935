import { type Example, known } from "@/server/http/openapi/examples/example";
import { stableId } from "@/server/http/openapi/examples/stable";

const calendar = { calendar_id: known.calendarId };
const unknown = { calendar_id: stableId("cal", 99) };

/** The feeds of the application calendar. */
export const feedExamples: readonly Example[] = [
  {
    operation: "createFeed",
    name: "busy",
    summary: "When the calendar's owner is busy, and nothing else",
    path: calendar,
    body: { detail: "busy", days_back: 7, days_ahead: 60 },
    status: 201,
  },
  {
    operation: "createFeed",
    name: "mistakes",
    isMistake: true,
    summary: "Values that are not allowed",
    path: calendar,
    body: { detail: "everything", days_back: 365, days_ahead: 0 },
    status: 422,
  },
  {
    operation: "createFeed",
    name: "unknown",
    summary: "An unknown calendar",
    path: unknown,
    body: { detail: "busy" },
    status: 404,
  },
  { operation: "listFeeds", name: "feeds", summary: "List feeds", path: calendar, status: 200 },
  {
    operation: "createFeed",
    name: "full",
    summary: "Full events, for the whole read window",
    path: calendar,
    body: { detail: "full" },
    status: 201,
  },
  {
    operation: "deleteFeed",
    name: "delete",
    summary: "End a feed",
    path: { ...calendar, feed_id: known.feedId },
    status: 202,
  },
  {
    operation: "deleteFeed",
    name: "unknown",
    summary: "An unknown feed",
    path: { ...calendar, feed_id: stableId("fed", 99) },
    status: 404,
  },
];
