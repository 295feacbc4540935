import { type Example, known } from "@/server/http/openapi/examples/example";

const url = `/v1/calendars/${known.calendarId}/events`;
const review = {
  ...{ event_id: "review", summary: "Review" },
  ...{ start: "2025-06-12T13:00:00Z", end: "2025-06-12T14:00:00Z" },
};

/** Several writes in one request. */
export const batchExamples: readonly Example[] = [
  {
    operation: "sendBatch",
    name: "several",
    summary: "Write one event, delete another, and send an invalid one",
    body: {
      batch: [
        { method: "POST", relative_url: url, data: review },
        { method: "DELETE", relative_url: url, data: { event_id: "retro" } },
        { method: "POST", relative_url: url, data: { ...review, end: "2025-06-12T12:00:00Z" } },
      ],
    },
    status: 207,
  },
  {
    operation: "sendBatch",
    name: "mistakes",
    isMistake: true,
    summary: "A request without its method",
    body: { batch: [{ relative_url: url, data: review }] },
    status: 422,
  },
];

/** The end of all that was written. */
export const deleteEventsExamples: readonly Example[] = [
  {
    operation: "deleteEvents",
    name: "all",
    summary: "In every calendar",
    body: { delete_all: true },
    status: 202,
  },
  {
    operation: "deleteEvents",
    name: "mistakes",
    isMistake: true,
    summary: "Neither field is sent",
    body: {},
    status: 422,
  },
];
