import { listOf, objectOf } from "@/server/providers/json-values";
import {
  asksForToken,
  type GraphApi,
  type GraphRequest,
  type GraphResponse,
  headersOf,
  pathOf,
  usable,
} from "@/server/providers/microsoft/api";

/** "JSON batch requests are currently limited to 20 individual requests" ("Combine multiple HTTP requests using JSON batching"). */
const MOST_PARTS = 20;
/** "any request that depends on that request fails with status code 424". */
const DEPENDENCY_FAILED = 424;

/**
 * Requests in as few batches as possible, and their responses in the same order. Each part waits for the one before it, so that a
 * batch is one request of the mailbox at a time; those that were not done because the one before failed are asked again. One whose access
 * token is rejected is asked by itself, with another token. A part that is to be waited for, or whose error its request does not accept, is
 * thrown.
 */
export async function batched(api: GraphApi, requests: readonly GraphRequest[]): Promise<GraphResponse[]> {
  const done: GraphResponse[] = [];
  while (done.length < requests.length) {
    const some = requests.slice(done.length, done.length + MOST_PARTS);
    done.push(...(await one(api, some)));
  }
  return done;
}

/** Sends one batch and returns the responses up to and including the first one that failed. */
async function one(api: GraphApi, requests: readonly GraphRequest[]): Promise<GraphResponse[]> {
  const [only] = requests;
  if (only && requests.length === 1) return [await api(only)];
  const batch = { requests: requests.map((request, index) => partOf(api, request, index)) };
  const { body } = await api({ kind: "batch", method: "POST", path: "/$batch", body: batch });
  const responses = new Map(listOf(body.responses).map((response) => [String(response.id), response]));
  const done: GraphResponse[] = [];
  for (const [index, request] of requests.entries()) {
    const response = objectOf(responses.get(String(index)));
    const status = Number(response.status);
    if (done.length > 0 && status === DEPENDENCY_FAILED) return done;
    const part = { status, headers: headersIn(response), body: response.body ?? null };
    // Exchange looks at the access token of each part by itself, as when a user's session is reconsidered in between.
    if (asksForToken(part, request)) return [...done, await api(request)];
    done.push(usable(part, request));
  }
  return done;
}

function partOf(api: GraphApi, request: GraphRequest, index: number): object {
  const { method = "GET", body } = request;
  const url = pathOf({ ...request, path: api.placed(request.path) });
  return {
    ...{ id: String(index), method, url, headers: headersOf(request) },
    ...(body && { body }),
    ...(index > 0 && { dependsOn: [String(index - 1)] }),
  };
}

function headersIn({ headers }: Record<string, unknown>): Headers {
  const given = Object.entries(objectOf(headers)).map(([name, value]): [string, string] => [name, String(value)]);
  return new Headers(given);
}
