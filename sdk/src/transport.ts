import { errorOf } from "./error-of.js";
import { ApiError, ConnectionError } from "./errors.js";
import { askedWait, isWorthRetrying, waitBefore } from "./retry.js";
import type { Settings } from "./settings.js";
import { version } from "./version.js";

/** Accepted by every method that sends a request. */
export interface RequestOptions {
  /** Ends the request and its retries, which then throw the signal's reason. */
  signal?: AbortSignal;
  /** For each attempt. Default: the client's. */
  timeoutMs?: number;
  /** Default: the client's. */
  maxRetries?: number;
  /** Sent along, such as a `svc-request-id` of your own. */
  headers?: Record<string, string>;
}

export interface ApiRequest {
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  path: string;
  /** A query string, with its question mark. */
  search?: string;
  body?: unknown;
  headers?: Record<string, string>;
  /** What to return of a 2xx response. Default: its JSON. */
  read?: (json: unknown, headers: Headers) => unknown;
  /** The header: `Bearer …` or `Basic …`. */
  authorization?: string;
  /** Whether sending it twice does what sending it once does. */
  isRepeatable: boolean;
}

/** What is read of a 2xx response: its JSON, undefined for an empty one. Throws the error of any other, after the retries that are safe. */
export async function send(settings: Settings, request: ApiRequest, options: RequestOptions = {}): Promise<unknown> {
  const maxRetries = options.maxRetries ?? settings.maxRetries;
  for (let retry = 0; ; retry += 1) {
    try {
      return await attempt(settings, request, options, retry + 1);
    } catch (error) {
      if (retry >= maxRetries || !isWorthRetrying(error, request.isRepeatable)) throw error;
      if (askedWait(error) > settings.maxRetryAfterMs) throw error;
      await settings.sleep(waitBefore(retry, error, settings.random), options.signal);
    }
  }
}

async function attempt(settings: Settings, request: ApiRequest, options: RequestOptions, number: number) {
  const { method, path, search = "" } = request;
  const { response, text } = await exchange(settings, request, options, settings.baseUrl + path + search);
  const { status, headers } = response;
  const requestId = headers.get("svc-request-id") ?? undefined;
  settings.onResponse?.({ method, path, status, requestId, attempt: number });
  const details = { status, request: `${method} ${path}`, requestId, headers };
  const json = parsed(text);
  if (!response.ok) throw errorOf(details, json, settings.now());
  if (text !== "" && json === undefined) throw new ApiError(details, "the body is not JSON");
  return request.read ? request.read(json, headers) : json;
}

async function exchange(settings: Settings, request: ApiRequest, options: RequestOptions, url: string) {
  const { method, path, body, authorization } = request;
  options.signal?.throwIfAborted();
  const timeout = AbortSignal.timeout(options.timeoutMs ?? settings.timeoutMs);
  const signal = options.signal ? AbortSignal.any([options.signal, timeout]) : timeout;
  const headers = new Headers({ "user-agent": `almanac-calendar/${version}`, ...options.headers, ...request.headers });
  headers.set("accept", "application/json");
  if (authorization !== undefined) headers.set("authorization", authorization);
  if (body !== undefined) headers.set("content-type", "application/json");
  try {
    const response = await settings.fetch(url, {
      method,
      headers,
      body: body === undefined ? undefined : JSON.stringify(body),
      // The API never redirects, and a token must not follow who does.
      redirect: "manual",
      signal,
    });
    return { response, text: await response.text() };
  } catch (error) {
    if (options.signal?.aborted) throw options.signal.reason;
    throw new ConnectionError(`${method} ${path}`, timeout.aborted, error);
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
