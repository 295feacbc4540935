import type { AccountRequest } from "./account-request.js";
import type { Resource, ResourcesResponse, ServiceAccountAuthorization } from "./generated/openapi.js";
import type { RequestOptions } from "./transport.js";

/** Mailboxes that their organizations open for the application. */
export class Organizations {
  readonly #request: AccountRequest;

  constructor(request: AccountRequest) {
    this.#request = request;
  }

  /** Asks for a mailbox, or for several. What comes of each is sent to its `callback_url`. */
  async authorize(
    mailboxes: ServiceAccountAuthorization | readonly ServiceAccountAuthorization[],
    options?: RequestOptions,
  ): Promise<void> {
    const body = Array.isArray(mailboxes) ? { service_account_authorizations: mailboxes } : mailboxes;
    const request = { method: "POST", path: "/v1/service_account_authorizations", body, isRepeatable: true } as const;
    await this.#request(request, options);
  }

  /** Lists the rooms, and the organizations whose rooms could not be listed. */
  async rooms(options?: RequestOptions): Promise<{ rooms: Resource[]; problems: ResourcesResponse["problems"] }> {
    const request = { method: "GET", path: "/v1/resources", isRepeatable: true } as const;
    const { resources, problems } = await this.#request<ResourcesResponse>(request, options);
    return { rooms: resources, problems };
  }
}
