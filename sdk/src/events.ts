import type { AccountRequest } from "./account-request.js";
import type {
  Event,
  EventDelete,
  EventsResponse,
  EventWrite,
  ListEventsQuery,
  OccurrenceWrite,
} from "./generated/openapi.js";
import { Paged } from "./paged.js";
import { queryString } from "./query.js";
import type { RequestOptions } from "./transport.js";

/** The events of an account. Writes name them by your own `event_id`, so a write that is sent twice leaves one event. */
export class Events {
  readonly #request: AccountRequest;

  constructor(request: AccountRequest) {
    this.#request = request;
  }

  /** The events of a window, a recurring one once for each occurrence. Without `include_managed`, events of your own application are omitted. */
  list(query: ListEventsQuery, options?: RequestOptions): Paged<Event> {
    return new Paged(async (search = queryString(query)) => {
      const request = { method: "GET", path: "/v1/events", search, isRepeatable: true } as const;
      const { events, pages } = await this.#request<EventsResponse>(request, options);
      return { items: events, pages };
    });
  }

  /** Creates the event, or replaces the one that has its `event_id`. */
  async write(calendarId: string, event: EventWrite, options?: RequestOptions): Promise<void> {
    await this.#request({ method: "POST", path: pathOf(calendarId), body: event, isRepeatable: true }, options);
  }

  /** Deletes the event, or with `occurrence_date` one of its occurrences. Succeeds if there is no such event. */
  async delete(calendarId: string, event: EventDelete, options?: RequestOptions): Promise<void> {
    await this.#request({ method: "DELETE", path: pathOf(calendarId), body: event, isRepeatable: true }, options);
  }

  /** Changes one occurrence of a recurring event. Replaces an earlier change of the same occurrence. */
  async changeOccurrence(calendarId: string, change: OccurrenceWrite, options?: RequestOptions): Promise<void> {
    const path = `${pathOf(calendarId)}/occurrences`;
    await this.#request({ method: "POST", path, body: change, isRepeatable: true }, options);
  }
}

function pathOf(calendarId: string): string {
  return `/v1/calendars/${encodeURIComponent(calendarId)}/events`;
}
