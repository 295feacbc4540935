import type { AccountRequest } from "./account-request.js";
import type { FreeBusyPeriod, FreeBusyResponse, ListFreeBusyQuery } from "./generated/openapi.js";
import { Paged } from "./paged.js";
import { queryString } from "./query.js";
import type { RequestOptions } from "./transport.js";

/** When the owner of an account is busy. */
export class FreeBusy {
  readonly #request: AccountRequest;

  constructor(request: AccountRequest) {
    this.#request = request;
  }

  /** One period for each event and each occurrence. Declined invitations are omitted. */
  list(query: ListFreeBusyQuery, options?: RequestOptions): Paged<FreeBusyPeriod> {
    return new Paged(async (search = queryString(query)) => {
      const request = { method: "GET", path: "/v1/free_busy", search, isRepeatable: true } as const;
      const { free_busy, pages } = await this.#request<FreeBusyResponse>(request, options);
      return { items: free_busy, pages };
    });
  }
}
