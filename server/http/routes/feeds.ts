import { Reply } from "@/server/domain/reply";
import { limits } from "@/server/http/limits";
import { SMALL_BODY } from "@/server/http/read-body";
import type { Route } from "@/server/http/routes/route";

const path = "/v1/calendars/{calendar_id}/feeds";
const params = { calendar_id: "The id of the calendar." };
const noCalendar = { description: "The account has no calendar with this id." };

export const createFeed: Route = {
  id: "createFeed",
  method: "post",
  path,
  tag: "Calendar feeds",
  summary: "Create a feed",
  description: `Creates a secret https address at which calendar apps subscribe to the calendar (iCalendar, RFC 5545). It is returned only here; anyone who has it can read the feed. A calendar can have up to ${limits.feeds} feeds.`,
  credential: "bearer",
  params,
  body: { schema: "FeedRequest", limit: SMALL_BODY },
  responses: {
    201: { description: "The feed, with its address.", schema: ["FeedResponse"], location: true },
    404: noCalendar,
  },
  errors: [
    { key: "errors.invalid_json", field: "base", when: "the body is not a JSON object" },
    { key: "errors.required", field: "detail", when: "missing" },
    { key: "errors.invalid_type", field: "any", when: "the wrong JSON type" },
    { key: "errors.invalid_value", field: "detail", when: "not `busy`, `titles` or `full`" },
    { key: "errors.too_small", field: "days_back, days_ahead", when: "under 0; under 1" },
    {
      key: "errors.too_big",
      field: "days_back, days_ahead",
      when: `over ${limits.feedDaysBack}; over ${limits.feedDaysAhead}`,
    },
    { key: "errors.invalid", field: "base", when: `the calendar has ${limits.feeds} feeds already` },
  ],
  call: async (api, { body, params }) => {
    const feed = await api.feeds.create({ calendar_id: params.calendar_id, body });
    const calendar = encodeURIComponent(params.calendar_id ?? "");
    return new Reply(feed, { location: `/v1/calendars/${calendar}/feeds/${feed.feed_id}` });
  },
};

export const listFeeds: Route = {
  id: "listFeeds",
  method: "get",
  path,
  tag: "Calendar feeds",
  summary: "List feeds",
  description: "Returns the feeds of the calendar, oldest first, without their addresses.",
  credential: "bearer",
  params,
  responses: { 200: { description: "The feeds.", schema: ["FeedsResponse"] }, 404: noCalendar },
  call: (api, { params }) => api.feeds.list(params as { calendar_id: string }),
};

export const deleteFeed: Route = {
  id: "deleteFeed",
  method: "delete",
  path: `${path}/{feed_id}`,
  tag: "Calendar feeds",
  summary: "End a feed",
  description: "From then on, the feed's address responds with 404. Calendar apps keep what they have already read.",
  credential: "bearer",
  params: { ...params, feed_id: "The id of the feed." },
  responses: {
    202: { description: "The feed has ended." },
    404: { description: "The account has no calendar with this id, or the calendar has no feed with this id." },
  },
  call: (api, { params }) => api.feeds.remove(params as { calendar_id: string; feed_id: string }),
};
