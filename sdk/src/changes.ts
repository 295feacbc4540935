import type { AccountRequest } from "./account-request.js";
import type { ChangesResponse, ListChangesQuery } from "./generated/openapi.js";
import { queryString } from "./query.js";
import type { RequestOptions } from "./transport.js";

/** What changed in the calendars of an account. */
export class Changes {
  readonly #request: AccountRequest;

  constructor(request: AccountRequest) {
    this.#request = request;
  }

  /** One page of changes, with the cursor of the next. Without a cursor, the feed starts now. */
  async list(query: ListChangesQuery = {}, options?: RequestOptions): Promise<ChangesResponse> {
    const search = queryString({ ...query });
    const request = { method: "GET", path: "/v1/changes", search, isRepeatable: true } as const;
    return await this.#request<ChangesResponse>(request, options);
  }

  /**
   * The pages up to now: `for await (const { changes, cursor, reset } of account.changes.follow({ cursor }))`. Store the
   * cursor of each page once you have handled its changes. With `reset`, forget what you stored first.
   */
  async *follow(
    query: ListChangesQuery = {},
    options?: RequestOptions,
  ): AsyncGenerator<ChangesResponse, void, undefined> {
    const { from: _, ...rest } = query;
    let page = await this.list(query, options);
    yield page;
    while (page.has_more) {
      page = await this.list({ ...rest, cursor: page.cursor }, options);
      yield page;
    }
  }
}
