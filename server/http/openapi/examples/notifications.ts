import { type Example, known } from "@/server/http/openapi/examples/example";
import { stableId } from "@/server/http/openapi/examples/stable";

const channel = { channel_id: known.channelId };
const trigger = { trigger_id: known.triggerId };

/** How the notifications of an open channel look. */
export const deliveryExamples: readonly Example[] = [
  {
    operation: "setDelivery",
    name: "changes",
    summary: "Include what changed, and notify about refused writes",
    path: channel,
    body: { payload: "changes", write_refused: true },
    status: 200,
  },
  {
    operation: "setDelivery",
    name: "standard_webhooks",
    summary: "Also send the headers of Standard Webhooks",
    path: channel,
    body: { signature: "standard_webhooks" },
    status: 200,
  },
  {
    operation: "setDelivery",
    name: "mistakes",
    isMistake: true,
    summary: "Values that are not allowed",
    path: channel,
    body: { payload: "full", write_refused: "yes" },
    status: 422,
  },
  {
    operation: "setDelivery",
    name: "unknown",
    summary: "An unknown channel",
    path: { channel_id: stableId("chn", 99) },
    body: {},
    status: 404,
  },
];

export const triggerExamples: readonly Example[] = [
  {
    operation: "createTrigger",
    name: "before_start",
    summary: "10 minutes before events start",
    body: { callback_url: "https://app.acme.io/reminders", before: "event_start", minutes: 10 },
    status: 201,
  },
  { operation: "listTriggers", name: "triggers", summary: "List triggers", status: 200 },
  {
    operation: "createTrigger",
    name: "after_end",
    summary: "When your own events with guests in one calendar have ended",
    body: {
      callback_url: "https://app.acme.io/follow-ups",
      after: "event_end",
      minutes: 0,
      calendar_ids: [known.calendarId],
      only_managed: true,
      min_guests: 1,
    },
    status: 201,
  },
  {
    operation: "createTrigger",
    name: "mistakes",
    isMistake: true,
    summary: "Both `before` and `after`, and a URL without https",
    body: { callback_url: "http://app.acme.io/reminders", before: "event_start", after: "event_end", minutes: -5 },
    status: 422,
  },
  { operation: "deleteTrigger", name: "delete", summary: "Delete a trigger", path: trigger, status: 202 },
  {
    operation: "deleteTrigger",
    name: "unknown",
    summary: "An unknown trigger",
    path: { trigger_id: stableId("trg", 99) },
    status: 404,
  },
];
