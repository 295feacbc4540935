import type { AccountRequest } from "./account-request.js";
import type {
  BatchEntry,
  BatchOutcome,
  BatchResponse,
  DeleteEventByUidQuery,
  Event,
  EventDelete,
  EventPatch,
  EventsDelete,
  EventsResponse,
  EventWrite,
  GetEventQuery,
  ListEventsQuery,
  OccurrenceWrite,
  ParticipationStatus,
  PatchEventQuery,
  Receipt,
  ReplyToEventQuery,
} from "./generated/openapi.js";
import { Paged } from "./paged.js";
import { queryString } from "./query.js";
import { type TaggedEvent, taggedEvent } from "./tagged-event.js";
import type { RequestOptions } from "./transport.js";

/** Rejects the request with an `EventChangedError` unless the event still has this `etag`. `*` matches any. */
export interface Condition {
  ifMatch?: string;
}

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

  /**
   * Carries out up to 50 writes and deletions in their order, and returns what became of each, in the same order: look at every `status`.
   * One that fails does not stop the others. Those with 429 were over the rate limit: send them again.
   */
  async batch(entries: BatchEntry[], options?: RequestOptions): Promise<BatchOutcome[]> {
    const request = { method: "POST", path: "/v1/batch", body: { batch: entries }, isRepeatable: true } as const;
    return (await this.#request<BatchResponse>(request, options)).batch;
  }

  /** Deletes the events that your application created, in all calendars or in some. */
  async deleteAll(which: EventsDelete, options?: RequestOptions): Promise<void> {
    await this.#request({ method: "DELETE", path: "/v1/events", body: which, isRepeatable: true }, options);
  }

  /** Changes one occurrence of a recurring event. Replaces an earlier change of the same occurrence. */
  async changeOccurrence(calendarId: string, change: OccurrenceWrite, options?: RequestOptions): Promise<void> {
    const path = `${pathOf(calendarId)}/occurrences`;
    await this.#request({ method: "POST", path, body: change, isRepeatable: true }, options);
  }

  /** The outcome of your last write of the event: whether the calendar provider has it. */
  async receipt(calendarId: string, eventId: string, options?: RequestOptions): Promise<Receipt> {
    const path = `${pathOf(calendarId)}/${encodeURIComponent(eventId)}/receipt`;
    return await this.#request({ method: "GET", path, isRepeatable: true }, options);
  }
  /** One event or occurrence by its `event_uid`, whoever created it, with what you may do with it. */
  async get(eventUid: string, query: GetEventQuery = {}, options?: RequestOptions): Promise<TaggedEvent> {
    const request = { method: "GET", path: named(eventUid), search: queryString(query), isRepeatable: true } as const;
    return await this.#request<TaggedEvent>({ ...request, read: taggedEvent }, options);
  }

  /** Changes the fields that `patch` has, and removes those that it has as `null`. Returns the changed event. */
  async update(
    eventUid: string,
    patch: EventPatch,
    { ifMatch, ...query }: PatchEventQuery & Condition = {},
    options?: RequestOptions,
  ): Promise<TaggedEvent> {
    // Sent twice, the second would not match, or not find the occurrence that the first has moved.
    const isRepeatable = ifMatch === undefined && query.scope !== "all";
    const request = { method: "PATCH", path: named(eventUid), search: queryString(query), body: patch } as const;
    return await this.#request<TaggedEvent>(
      { ...request, headers: conditional(ifMatch), read: taggedEvent, isRepeatable },
      options,
    );
  }

  /** Deletes the event or occurrence that has this `event_uid`. */
  async deleteByUid(
    eventUid: string,
    { ifMatch, ...query }: DeleteEventByUidQuery & Condition = {},
    options?: RequestOptions,
  ): Promise<void> {
    const request = { method: "DELETE", path: named(eventUid), search: queryString(query) } as const;
    await this.#request({ ...request, headers: conditional(ifMatch), isRepeatable: ifMatch === undefined }, options);
  }

  /** Replies to an invitation as the user, whose reply the organizer learns of. */
  async reply(
    calendarId: string,
    eventUid: string,
    reply: ParticipationStatus,
    query: ReplyToEventQuery = {},
    options?: RequestOptions,
  ): Promise<void> {
    const path = `${pathOf(calendarId)}/${encodeURIComponent(eventUid)}/participation_status`;
    const request = { method: "POST", path, search: queryString(query), body: reply } as const;
    await this.#request({ ...request, isRepeatable: true }, options);
  }
}

function named(eventUid: string): string {
  return `/v1/events/${encodeURIComponent(eventUid)}`;
}

function conditional(ifMatch: string | undefined): Record<string, string> {
  return ifMatch === undefined ? {} : { "if-match": ifMatch };
}

function pathOf(calendarId: string): string {
  return `/v1/calendars/${encodeURIComponent(calendarId)}/events`;
}
