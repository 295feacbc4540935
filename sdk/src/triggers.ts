import type { AccountRequest } from "./account-request.js";
import type { Trigger, TriggerRequest, TriggerResponse, TriggersResponse } from "./generated/openapi.js";
import type { RequestOptions } from "./transport.js";

/** Webhooks before or after the events of an account start or end. */
export class Triggers {
  readonly #request: AccountRequest;

  constructor(request: AccountRequest) {
    this.#request = request;
  }

  /** Store the `signing_secret`: it is returned only here. */
  async create(trigger: TriggerRequest, options?: RequestOptions): Promise<TriggerResponse> {
    // Sent twice, it would create two triggers.
    const request = { method: "POST", path: "/v1/triggers", body: trigger, isRepeatable: false } as const;
    return await this.#request<TriggerResponse>(request, options);
  }

  /** The triggers, oldest first. */
  async list(options?: RequestOptions): Promise<Trigger[]> {
    const request = { method: "GET", path: "/v1/triggers", isRepeatable: true } as const;
    return (await this.#request<TriggersResponse>(request, options)).triggers;
  }

  /** It no longer fires, and its pending notifications are cancelled. */
  async delete(triggerId: string, options?: RequestOptions): Promise<void> {
    const path = `/v1/triggers/${encodeURIComponent(triggerId)}`;
    // Sent twice, the second finds no trigger.
    await this.#request({ method: "DELETE", path, isRepeatable: false }, options);
  }
}
