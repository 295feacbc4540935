import type { AccountRequest } from "./account-request.js";
import type { AvailabilityRequest, AvailabilityResponse } from "./generated/openapi.js";
import type { RequestOptions } from "./transport.js";

/** When people are free: of an application for any of its accounts, of an account for itself. */
export class Availability {
  readonly #request: AccountRequest;

  constructor(request: AccountRequest) {
    this.#request = request;
  }

  /** Finds when enough members of every group are free. A member of which too little is known is never free: see `problems`. */
  async find(question: AvailabilityRequest, options?: RequestOptions): Promise<AvailabilityResponse> {
    const request = { method: "POST", path: "/v1/availability", body: question, isRepeatable: true } as const;
    return await this.#request<AvailabilityResponse>(request, options);
  }
}
