import type { EndpointError } from "@/server/http/openapi/error-keys";
import type { Operation } from "@/server/http/openapi/operations/operation";

const openErrors: EndpointError[] = [
  { key: "errors.invalid_json", field: "base", when: "the body is not a JSON object" },
  { key: "errors.required", field: "callback_url", when: "missing" },
  { key: "errors.invalid_type", field: "any", when: "of another JSON type" },
  { key: "errors.invalid", field: "any", when: "holds a character that cannot be stored" },
  { key: "errors.too_small", field: "filters.calendar_ids[0]", when: "empty" },
  {
    key: "errors.too_big",
    field: "callback_url, filters.calendar_ids",
    when: "over 2,048 characters; over 200 of them",
  },
  { key: "errors.invalid_callback_url", field: "callback_url", when: "not an https address" },
  {
    key: "errors.invalid_callback_url_blocked",
    field: "callback_url",
    when: "a local, private or example host, a port other than 443, or credentials",
  },
  { key: "errors.too_many_channels", field: "base", when: "the account has 100 open channels already" },
];

export const notifications: readonly Operation[] = [
  {
    id: "openChannel",
    method: "post",
    path: "/v1/channels",
    tag: "Notifications",
    summary: "Open a channel",
    description:
      "Asks for notifications at a callback URL. A `verification` is sent at once. Filters restrict which changes are notified; `signing_secret` is told here only.",
    credential: "bearer",
    body: { schema: "ChannelRequest" },
    answers: { 200: { description: "The channel.", schema: ["ChannelResponse"] } },
    errors: openErrors,
  },
  {
    id: "listChannels",
    method: "get",
    path: "/v1/channels",
    tag: "Notifications",
    summary: "List the open channels",
    description: "The account's open channels, the oldest first, without their secrets.",
    credential: "bearer",
    answers: { 200: { description: "The channels.", schema: ["ChannelsResponse"] } },
  },
  {
    id: "closeChannel",
    method: "delete",
    path: "/v1/channels/{channel_id}",
    tag: "Notifications",
    summary: "Close a channel",
    description: "Nothing more is sent to it. Succeeds again when it is closed already.",
    credential: "bearer",
    params: { channel_id: "A channel of the account." },
    answers: {
      202: { description: "The channel is closed." },
      404: { description: "The account never had such a channel.", schema: ["UnknownChannel"] },
    },
  },
];
