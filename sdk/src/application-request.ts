import type { AccountRequest } from "./account-request.js";
import type { Settings } from "./settings.js";
import { send } from "./transport.js";

/** Requests with the application's credentials, as HTTP Basic (RFC 6749 §2.3.1). */
export function applicationRequests(
  settings: Settings,
  { clientId, clientSecret }: { clientId: string; clientSecret: string },
): AccountRequest {
  return async <Body>(...[request, options]: Parameters<AccountRequest>) => {
    const authorization = `Basic ${btoa(`${encodeURIComponent(clientId)}:${encodeURIComponent(clientSecret)}`)}`;
    return (await send(settings, { ...request, authorization }, options)) as Body;
  };
}
