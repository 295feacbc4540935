import type { AccountRequest } from "./account-request.js";
import type {
  Channel,
  ChannelRequest,
  ChannelResponse,
  ChannelsResponse,
  DeliverySettings,
  DeliverySettingsResponse,
  TestEvent,
} from "./generated/openapi.js";
import type { RequestOptions } from "./transport.js";

/** A channel with its signing secret, which only the response to its creation has. */
export type NewChannel = ChannelResponse["channel"];

/** The webhook channels of an account. */
export class Channels {
  readonly #request: AccountRequest;

  constructor(request: AccountRequest) {
    this.#request = request;
  }

  /** Store the `signing_secret`: it is returned only here. A verification is sent to the URL at once. */
  async create(channel: ChannelRequest, options?: RequestOptions): Promise<NewChannel> {
    // Sent twice, it would open two channels.
    const request = { method: "POST", path: "/v1/channels", body: channel, isRepeatable: false } as const;
    return (await this.#request<ChannelResponse>(request, options)).channel;
  }

  /** The open channels. */
  async list(options?: RequestOptions): Promise<Channel[]> {
    const request = { method: "GET", path: "/v1/channels", isRepeatable: true } as const;
    return (await this.#request<ChannelsResponse>(request, options)).channels;
  }

  /** Sends the channel a `change` although nothing changed. Gives its delivery id, which the webhook repeats. */
  async test(channelId: string, options?: RequestOptions): Promise<string> {
    const path = `/v1/channels/${encodeURIComponent(channelId)}/test`;
    // Sent twice, it would be two events.
    const request = { method: "POST", path, isRepeatable: false } as const;
    return (await this.#request<TestEvent>(request, options)).delivery.delivery_id;
  }

  /** Sets what its notifications say and how they are signed: what is omitted returns to the default. */
  async setDelivery(
    channelId: string,
    settings: DeliverySettings,
    options?: RequestOptions,
  ): Promise<DeliverySettingsResponse["delivery"]> {
    const path = `/v1/channels/${encodeURIComponent(channelId)}/delivery`;
    const request = { method: "PUT", path, body: settings, isRepeatable: true } as const;
    return (await this.#request<DeliverySettingsResponse>(request, options)).delivery;
  }

  /** Succeeds if the channel is closed already. */
  async close(channelId: string, options?: RequestOptions): Promise<void> {
    const path = `/v1/channels/${encodeURIComponent(channelId)}`;
    await this.#request({ method: "DELETE", path, isRepeatable: true }, options);
  }
}
