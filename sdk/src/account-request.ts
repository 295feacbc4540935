import { AuthenticationError } from "./errors.js";
import type { Settings } from "./settings.js";
import type { AccountTokens } from "./tokens.js";
import { type ApiRequest, type RequestOptions, send } from "./transport.js";

/** Sends a request on behalf of an account, or of the application itself, and returns the JSON of its response. */
export type AccountRequest = <Body = void>(
  request: Omit<ApiRequest, "authorization">,
  options?: RequestOptions,
) => Promise<Body>;

/** Requests with the account's access token: after a 401 once more, with a renewed one. */
export function accountRequests(settings: Settings, tokens: AccountTokens): AccountRequest {
  return async <Body>(request: Omit<ApiRequest, "authorization">, options: RequestOptions = {}) => {
    const accessToken = await unlessAborted(tokens.current(), options.signal);
    try {
      return (await send(settings, { ...request, authorization: bearer(accessToken) }, options)) as Body;
    } catch (error) {
      if (!(error instanceof AuthenticationError)) throw error;
      const another = await unlessAborted(tokens.insteadOf(accessToken), options.signal);
      return (await send(settings, { ...request, authorization: bearer(another) }, options)) as Body;
    }
  };
}

function bearer(accessToken: string): string {
  return `Bearer ${accessToken}`;
}

/** A refresh that others wait for goes on when one of them gives up. */
function unlessAborted<Value>(value: Promise<Value>, signal: AbortSignal | undefined): Promise<Value> {
  if (!signal) return value;
  return new Promise((resolve, reject) => {
    const end = () => reject(signal.reason);
    if (signal.aborted) end();
    signal.addEventListener("abort", end, { once: true });
    value.then(resolve, reject).finally(() => signal.removeEventListener("abort", end));
  });
}
