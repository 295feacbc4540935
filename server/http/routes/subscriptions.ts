import { Reply } from "@/server/domain/reply";
import { limits } from "@/server/http/limits";
import { SMALL_BODY } from "@/server/http/read-body";
import type { Route } from "@/server/http/routes/route";

export const createSubscription: Route = {
  id: "createSubscription",
  method: "post",
  path: "/v1/subscriptions",
  tag: "Accounts",
  summary: "Subscribe to a calendar feed",
  description: `Adds a calendar that is published as an iCalendar file (ICS) to the account: read-only, and in a separate profile. The response doesn't wait for the feed: [the profile's status](/docs/status) says whether it could be read. The same \`url\` again updates the subscription, so repeat a request that had no response. Feeds can have up to ${limits.subscriptionSize} and ${limits.subscriptionOccurrences} occurrences. An account can have up to ${limits.subscriptions} subscriptions.`,
  credential: "bearer",
  body: { schema: "SubscriptionRequest", limit: SMALL_BODY },
  responses: { 201: { description: "The calendar.", schema: ["SubscriptionResponse"], location: true } },
  errors: [
    { key: "errors.invalid_json", field: "base", when: "the body is not a JSON object" },
    { key: "errors.required", field: "url, name", when: "missing; a blank name" },
    { key: "errors.invalid_type", field: "any", when: "the wrong JSON type" },
    { key: "errors.invalid", field: "url", when: "not an https or webcal URL of a public host, or with credentials" },
    { key: "errors.invalid", field: "name, url", when: "contains a character that cannot be stored" },
    { key: "errors.too_small", field: "url, name, refresh_minutes", when: `empty; under ${limits.shortestRefresh}` },
    {
      key: "errors.too_big",
      field: "url, name, refresh_minutes",
      when: `over ${limits.callbackUrl} or ${limits.subscriptionName} characters or ${limits.longestRefresh} minutes`,
    },
    { key: "errors.too_big", field: "base", when: `the account already has ${limits.subscriptions} subscriptions` },
  ],
  call: async (api, { body }) => {
    const subscription = await api.subscriptions.create(body);
    return new Reply(subscription, { location: `/v1/subscriptions/${subscription.calendar_id}` });
  },
};

export const listSubscriptions: Route = {
  id: "listSubscriptions",
  method: "get",
  path: "/v1/subscriptions",
  tag: "Accounts",
  summary: "List subscriptions",
  description: "Returns the calendar feeds that the account is subscribed to, oldest first, without their addresses.",
  credential: "bearer",
  responses: { 200: { description: "The subscriptions.", schema: ["SubscriptionsResponse"] } },
  call: (api) => api.subscriptions.list(),
};

export const deleteSubscription: Route = {
  id: "deleteSubscription",
  method: "delete",
  path: "/v1/subscriptions/{calendar_id}",
  tag: "Accounts",
  summary: "Delete a subscription",
  description:
    "Removes the feed's calendar and profile from the account immediately, with all events and their changes.",
  credential: "bearer",
  params: { calendar_id: "The id of the feed's calendar." },
  responses: {
    202: { description: "The subscription is deleted." },
    404: { description: "The account has no subscription with this calendar." },
  },
  call: (api, { params }) => api.subscriptions.remove(params as { calendar_id: string }),
};
