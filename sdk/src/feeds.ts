import type { AccountRequest } from "./account-request.js";
import type { Feed, FeedRequest, FeedResponse, FeedsResponse } from "./generated/openapi.js";
import type { RequestOptions } from "./transport.js";

/** Secret addresses at which calendar apps subscribe to a calendar. */
export class Feeds {
  readonly #request: AccountRequest;

  constructor(request: AccountRequest) {
    this.#request = request;
  }

  /** Store the `url`: it is returned only here. Anyone who has it can read the feed. */
  async create(calendarId: string, feed: FeedRequest, options?: RequestOptions): Promise<FeedResponse> {
    // Sent twice, it would create two feeds.
    const request = { method: "POST", path: feedsOf(calendarId), body: feed, isRepeatable: false } as const;
    return await this.#request<FeedResponse>(request, options);
  }

  /** The feeds of a calendar, oldest first, without their addresses. */
  async list(calendarId: string, options?: RequestOptions): Promise<Feed[]> {
    const request = { method: "GET", path: feedsOf(calendarId), isRepeatable: true } as const;
    return (await this.#request<FeedsResponse>(request, options)).feeds;
  }

  /** Its address responds with 404 from now on. */
  async delete(calendarId: string, feedId: string, options?: RequestOptions): Promise<void> {
    const path = `${feedsOf(calendarId)}/${encodeURIComponent(feedId)}`;
    // Sent twice, the second finds no feed.
    await this.#request({ method: "DELETE", path, isRepeatable: false }, options);
  }
}

function feedsOf(calendarId: string): string {
  return `/v1/calendars/${encodeURIComponent(calendarId)}/feeds`;
}
