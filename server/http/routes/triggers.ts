import { Reply } from "@/server/domain/reply";
import { limits } from "@/server/http/limits";
import { SMALL_BODY } from "@/server/http/read-body";
import type { Route } from "@/server/http/routes/route";

export const createTrigger: Route = {
  id: "createTrigger",
  method: "post",
  path: "/v1/triggers",
  tag: "Notifications",
  summary: "Create a trigger",
  description: `Notifies \`callback_url\` before or after events start or end: once for each event and occurrence, within a minute of its time, even if the event has been moved. The notification has the \`type\` \`trigger\`, with \`trigger_id\` and \`event_uid\`; after an outage it says \`late\`. It is signed and retried like a channel's notifications. An all-day event starts at midnight in its owner's time zone. Declined events don't count, and what was due before the trigger was created doesn't either. An account can have up to ${limits.triggers} triggers.`,
  credential: "bearer",
  body: { schema: "TriggerRequest", limit: SMALL_BODY },
  responses: { 201: { description: "The trigger.", schema: ["TriggerResponse"], location: true } },
  errors: [
    { key: "errors.invalid_json", field: "base", when: "the body is not a JSON object" },
    { key: "errors.required", field: "callback_url, minutes, before", when: "missing; neither `before` nor `after`" },
    { key: "errors.invalid_type", field: "any", when: "the wrong JSON type" },
    { key: "errors.invalid", field: "after", when: "sent together with `before`" },
    { key: "errors.invalid", field: "callback_url", when: "contains a character that cannot be stored" },
    { key: "errors.invalid_value", field: "before, after", when: "neither `event_start` nor `event_end`" },
    { key: "errors.too_small", field: "minutes, min_guests, calendar_ids", when: "under 0; empty" },
    {
      key: "errors.too_big",
      field: "minutes, min_guests, calendar_ids, callback_url",
      when: `over ${limits.triggerMinutes} minutes, ${limits.triggerGuests} guests, ${limits.channelCalendars} ids or ${limits.callbackUrl} characters`,
    },
    { key: "errors.invalid_callback_url", field: "callback_url", when: "not an https URL" },
    {
      key: "errors.invalid_callback_url_blocked",
      field: "callback_url",
      when: "a local, private or example host, a port other than 443, or credentials",
    },
    { key: "errors.too_many_channels", field: "base", when: `the account already has ${limits.triggers} triggers` },
  ],
  call: async (api, { body }) => {
    const trigger = await api.triggers.create(body);
    return new Reply(trigger, { location: `/v1/triggers/${trigger.trigger_id}` });
  },
};

export const listTriggers: Route = {
  id: "listTriggers",
  method: "get",
  path: "/v1/triggers",
  tag: "Notifications",
  summary: "List triggers",
  description: "Returns the account's triggers, oldest first, without their signing secrets.",
  credential: "bearer",
  responses: { 200: { description: "The triggers.", schema: ["TriggersResponse"] } },
  call: (api) => api.triggers.list(),
};

export const deleteTrigger: Route = {
  id: "deleteTrigger",
  method: "delete",
  path: "/v1/triggers/{trigger_id}",
  tag: "Notifications",
  summary: "Delete a trigger",
  description: "The trigger no longer fires, and its pending notifications are cancelled.",
  credential: "bearer",
  params: { trigger_id: "The id of the trigger." },
  responses: {
    202: { description: "The trigger is deleted." },
    404: { description: "The account has no trigger with this id." },
  },
  call: (api, { params }) => api.triggers.remove(params as { trigger_id: string }),
};
