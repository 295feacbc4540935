import type { AccountRequest } from "./account-request.js";
import type {
  Subscription,
  SubscriptionRequest,
  SubscriptionResponse,
  SubscriptionsResponse,
} from "./generated/openapi.js";
import type { RequestOptions } from "./transport.js";

/** The calendar feeds (ICS) that an account is subscribed to. */
export class Subscriptions {
  readonly #request: AccountRequest;

  constructor(request: AccountRequest) {
    this.#request = request;
  }

  /** Adds the feed's calendar, read-only. The same `url` again updates the subscription. */
  async create(subscription: SubscriptionRequest, options?: RequestOptions): Promise<SubscriptionResponse> {
    const request = { method: "POST", path: "/v1/subscriptions", body: subscription, isRepeatable: true } as const;
    return await this.#request<SubscriptionResponse>(request, options);
  }

  /** The subscriptions, oldest first, without their addresses. */
  async list(options?: RequestOptions): Promise<Subscription[]> {
    const request = { method: "GET", path: "/v1/subscriptions", isRepeatable: true } as const;
    return (await this.#request<SubscriptionsResponse>(request, options)).subscriptions;
  }

  /** Removes the feed's calendar with all events at once. */
  async delete(calendarId: string, options?: RequestOptions): Promise<void> {
    const path = `/v1/subscriptions/${encodeURIComponent(calendarId)}`;
    // Sent twice, the second finds no subscription.
    await this.#request({ method: "DELETE", path, isRepeatable: false }, options);
  }
}
