import type { EndpointError } from "@/server/http/error-keys";
import { limits } from "@/server/http/limits";
import { SMALL_BODY } from "@/server/http/read-body";
import type { Route } from "@/server/http/routes/route";

const openErrors: EndpointError[] = [
  { key: "errors.invalid_json", field: "base", when: "the body is not a JSON object" },
  { key: "errors.required", field: "callback_url", when: "missing" },
  { key: "errors.invalid_type", field: "any", when: "the wrong JSON type" },
  { key: "errors.invalid", field: "any", when: "contains a character that cannot be stored" },
  { key: "errors.too_small", field: "filters.calendar_ids[0]", when: "empty" },
  {
    key: "errors.too_big",
    field: "callback_url, filters.calendar_ids",
    when: `over ${limits.callbackUrl} characters; more than ${limits.channelCalendars} ids`,
  },
  { key: "errors.invalid_callback_url", field: "callback_url", when: "not an https URL" },
  {
    key: "errors.invalid_callback_url_blocked",
    field: "callback_url",
    when: "a local, private or example host, a port other than 443, or credentials",
  },
  { key: "errors.too_many_channels", field: "base", when: `the account already has ${limits.channels} open channels` },
];

export const openChannel: Route = {
  id: "openChannel",
  method: "post",
  path: "/v1/channels",
  tag: "Notifications",
  summary: "Create a channel",
  description:
    "Subscribes a callback URL to notifications. Almanac sends a `verification` immediately. Filters limit which changes are notified. Store the `signing_secret`: it is returned only here.",
  credential: "bearer",
  body: { schema: "ChannelRequest", limit: SMALL_BODY },
  responses: { 200: { description: "The channel.", schema: ["ChannelResponse"] } },
  errors: openErrors,
  call: (api, { body }) => api.channels.open(body),
};

export const listChannels: Route = {
  id: "listChannels",
  method: "get",
  path: "/v1/channels",
  tag: "Notifications",
  summary: "List channels",
  description: "Returns the account's open channels, oldest first, without their signing secrets.",
  credential: "bearer",
  responses: { 200: { description: "The channels.", schema: ["ChannelsResponse"] } },
  call: (api) => api.channels.list(),
};

export const testChannel: Route = {
  id: "testChannel",
  method: "post",
  path: "/v1/channels/{channel_id}/test",
  tag: "Notifications",
  summary: "Send a test event",
  description:
    "Sends a `change` to the channel's callback URL although nothing changed. The receiver can't tell it from any other: its signatures and retries are the same, and `changes_since` is now. The dashboard marks it as a test. `delivery_id` is the `Svc-Delivery-Id` that the receiver gets.",
  credential: "bearer",
  params: { channel_id: "The id of the channel." },
  responses: {
    202: { description: "The test event will be sent.", schema: ["TestEvent"] },
    404: { description: "The account has no open channel with this id.", schema: ["UnknownChannel"] },
  },
  call: (api, { params }) => api.channels.test(params),
};

export const setDelivery: Route = {
  id: "setDelivery",
  method: "put",
  path: "/v1/channels/{channel_id}/delivery",
  tag: "Notifications",
  summary: "Set what notifications contain",
  description: `Sets what a channel's notifications say and how they are signed; what you omit returns to its default. With \`payload\` \`changes\`, \`notification.changes\` beside \`changes_since\` lists what changed, as \`GET /v1/changes\` does: up to ${limits.changesSent} changes or ${limits.changesSentBytes}, then \`more: true\`. A retry lists what has changed by then, so ignore the ids that you have handled. With \`signature\` \`standard_webhooks\`, the headers \`webhook-id\`, \`webhook-timestamp\` and \`webhook-signature\` are sent in addition to ours.`,
  credential: "bearer",
  params: { channel_id: "The id of the channel." },
  body: { schema: "DeliverySettings", limit: SMALL_BODY },
  responses: {
    200: { description: "The settings.", schema: ["DeliverySettingsResponse"] },
    404: { description: "The account has no open channel with this id.", schema: ["UnknownChannel"] },
  },
  errors: [
    { key: "errors.invalid_json", field: "base", when: "the body is not a JSON object" },
    { key: "errors.invalid_value", field: "payload, signature", when: "not one of the allowed values" },
    { key: "errors.invalid_type", field: "write_refused", when: "not a boolean" },
  ],
  call: (api, { params, body }) => api.channels.setDelivery({ ...params, body }),
};

export const closeChannel: Route = {
  id: "closeChannel",
  method: "delete",
  path: "/v1/channels/{channel_id}",
  tag: "Notifications",
  summary: "Close a channel",
  description: "Almanac stops sending notifications to the channel. Closing a closed channel succeeds.",
  credential: "bearer",
  params: { channel_id: "The id of the channel." },
  responses: {
    202: { description: "The channel is closed." },
    404: { description: "The account never had a channel with this id.", schema: ["UnknownChannel"] },
  },
  call: (api, { params }) => api.channels.close(params),
};
