import { endpoint } from "@/server/http/endpoint";
import { health, live } from "@/server/http/health";
import { listCalendars, listProfiles, showAccount, showUserinfo } from "@/server/http/routes/accounts";
import { createLinkToken, createToken, openApplicationCalendar, revokeToken } from "@/server/http/routes/connecting";
import { closeChannel, listChannels, openChannel, testChannel } from "@/server/http/routes/notifications";
import { listEvents, listFreeBusy } from "@/server/http/routes/reading";
import { changeInSandbox } from "@/server/http/routes/sandbox";
import { changeOccurrence, deleteEvent, writeEvent } from "@/server/http/routes/writing";

const onlyRead = endpoint([], "GET, HEAD");
const readiness = { ...onlyRead, GET: health, HEAD: health };

/** What balancers and operators ask of a process of any role. */
export const healthRoutes = {
  "/health": readiness,
  "/health/ready": readiness,
  "/health/live": { ...onlyRead, GET: live, HEAD: live },
};

/**
 * The route table of the API: a module of methods for each path, as Next writes paths. The front door serves it, and the `route.ts` files of
 * `app` mount the same modules in Next, which serves them in development (ADR 1).
 */
export const apiRoutes = {
  "/oauth/token": endpoint([createToken]),
  "/oauth/token/revoke": endpoint([revokeToken]),
  "/v1/[[...unknown]]": endpoint([]),
  "/v1/account": endpoint([showAccount]),
  "/v1/application_calendars": endpoint([openApplicationCalendar]),
  "/v1/calendars": endpoint([listCalendars]),
  "/v1/calendars/[calendar_id]/events": endpoint([writeEvent, deleteEvent]),
  "/v1/calendars/[calendar_id]/events/occurrences": endpoint([changeOccurrence]),
  "/v1/channels": endpoint([listChannels, openChannel]),
  "/v1/channels/[channel_id]": endpoint([closeChannel]),
  "/v1/channels/[channel_id]/test": endpoint([testChannel]),
  "/v1/events": endpoint([listEvents]),
  "/v1/free_busy": endpoint([listFreeBusy]),
  "/v1/link_tokens": endpoint([createLinkToken]),
  "/v1/profiles": endpoint([listProfiles]),
  "/v1/sandbox/changes": endpoint([changeInSandbox]),
  "/v1/userinfo": endpoint([showUserinfo]),
};
