import { percentDecoded } from "@/server/domain/text";
import { limits } from "@/server/http/limits";
import { EVENT_BODY, SMALL_BODY } from "@/server/http/read-body";
import type { Route, RouteInput } from "@/server/http/routes/route";
import { deleteEvent, writeEvent } from "@/server/http/routes/writing";
import type { ApiCaller } from "@/server/services/api";
import type { BatchEntry, BatchOutcome } from "@/server/services/batch/shape";
import { invalid } from "@/server/services/refusal";

const EVENTS = /^\/v1\/calendars\/([^/?#]+)\/events\/?$/;
const offered: Partial<Record<string, Route>> = { POST: writeEvent, DELETE: deleteEvent };

export const sendBatch: Route = {
  id: "sendBatch",
  method: "post",
  path: "/v1/batch",
  tag: "Writing events",
  summary: "Send a batch of writes",
  description: `Carries out up to ${limits.batchEntries} writes and deletions of events (\`POST\` and \`DELETE /v1/calendars/{calendar_id}/events\`), one after another in their order. The response has an entry for each, in the same order, with the status, headers and body that the single request would have had; a request that fails does not stop the others. A request that a batch does not offer fails with 422 at its place. Each counts against the rate limits, the batch itself does not: once they are reached, the rest have the status 429, so send those again.`,
  credential: "bearer",
  body: { schema: "BatchRequest", limit: EVENT_BODY },
  responses: {
    207: { description: "The outcome of each request. Check every `status`.", schema: ["BatchResponse"] },
  },
  errors: [
    { key: "errors.invalid_json", field: "base", when: "the body is not a JSON object" },
    { key: "errors.required", field: "batch, batch[0].method, batch[0].relative_url", when: "missing" },
    { key: "errors.invalid_type", field: "any", when: "the wrong JSON type" },
    { key: "errors.invalid", field: "any", when: "contains a character that cannot be stored" },
    { key: "errors.too_small", field: "batch", when: "empty" },
    { key: "errors.too_big", field: "batch", when: `more than ${limits.batchEntries} entries` },
  ],
  call: async (api, { body, carryOut, headers }) => {
    const outcomes: BatchOutcome[] = [];
    for (const entry of await api.batch.read(body)) outcomes.push(await carryOut(() => single(api, entry, headers)));
    return { batch: outcomes };
  },
};

/** Carries out one request as its own route does. */
async function single(
  api: ApiCaller,
  { method, relative_url: url, data = {} }: BatchEntry,
  headers: RouteInput["headers"],
): Promise<void> {
  const route = offered[method.toUpperCase()];
  const calendar = calendarIn(url);
  if (!route || calendar === null) {
    throw invalid(
      ...(route ? [] : [wrong("method", "must be POST or DELETE")]),
      ...(calendar === null ? [wrong("relative_url", "must be /v1/calendars/{calendar_id}/events")] : []),
    );
  }
  if (typeof data !== "object" || data === null || Array.isArray(data)) {
    throw invalid({ path: [], key: "errors.invalid_json", description: "data must be a JSON object" });
  }
  const input: Pick<RouteInput, "params" | "body"> = { params: { calendar_id: calendar }, body: { ...data } };
  await route.call(api, { query: {}, ifMatch: null, headers, carryOut: never, ...input });
}

/** No request of a batch is a batch. */
const never = () => Promise.reject(new Error("a batch within a batch"));

function wrong(field: string, must: string) {
  return { path: [field], key: "errors.invalid_value" as const, description: `${field} ${must} in a batch` };
}

function calendarIn(url: string): string | null {
  const [, calendar] = EVENTS.exec(url) ?? [];
  return calendar === undefined ? null : percentDecoded(calendar);
}

export const deleteEvents: Route = {
  id: "deleteEvents",
  method: "delete",
  path: "/v1/events",
  tag: "Writing events",
  summary: "Delete all of your events",
  description:
    "Deletes the events that your application created, in every calendar that can be written (`delete_all`) or in some (`calendar_ids`). Events created by others stay. Guests are notified. Thousands of events take seconds: if the connection ends before the response, send the request again, and what is left is deleted.",
  credential: "bearer",
  body: { schema: "EventsDelete", limit: SMALL_BODY },
  responses: {
    202: { description: "Accepted. Reads omit the events immediately; the deletions at the calendar provider follow." },
  },
  errors: [
    { key: "errors.invalid_json", field: "base", when: "the body is not a JSON object" },
    { key: "errors.required", field: "delete_all", when: "neither `delete_all` nor `calendar_ids`" },
    { key: "errors.invalid_value", field: "delete_all", when: "not `true`" },
    { key: "errors.invalid_type", field: "calendar_ids", when: "the wrong JSON type" },
    { key: "errors.invalid", field: "calendar_ids", when: "sent together with `delete_all`" },
    { key: "errors.invalid", field: "calendar_ids[0]", when: "not a calendar of the account, deleted, or read-only" },
    { key: "errors.too_small", field: "calendar_ids", when: "empty; an empty id" },
    {
      key: "errors.too_big",
      field: "calendar_ids",
      when: `more than ${limits.readCalendars} ids, or an id over ${limits.id} characters`,
    },
  ],
  call: (api, { body }) => api.events.removeMany(body),
};
