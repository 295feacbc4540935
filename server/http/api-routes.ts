import { endpoint } from "@/server/http/endpoint";
import { feed } from "@/server/http/feed";
import { health, live } from "@/server/http/health";
import { mcp } from "@/server/http/mcp/route";
import {
  listCalendars,
  listProfiles,
  showAccount,
  showProfileStatus,
  showUserinfo,
} from "@/server/http/routes/accounts";
import { findAvailability } from "@/server/http/routes/availability";
import { deleteEvents, sendBatch } from "@/server/http/routes/batch";
import { bookEvent, cancelBooking, confirmBooking, showBooking } from "@/server/http/routes/bookings";
import {
  createLinkToken,
  createReconnectLink,
  createToken,
  importProfile,
  openApplicationCalendar,
  registerClient,
  revokeToken,
} from "@/server/http/routes/connecting";
import { createFeed, deleteFeed, listFeeds } from "@/server/http/routes/feeds";
import { deleteEventByUid, getEvent, patchEvent, replyToEvent } from "@/server/http/routes/named-events";
import { closeChannel, listChannels, openChannel, setDelivery, testChannel } from "@/server/http/routes/notifications";
import { authorizeByServiceAccount, listResources } from "@/server/http/routes/organizations";
import { listChanges, listEvents, listFreeBusy } from "@/server/http/routes/reading";
import { listWrites, showReceipt } from "@/server/http/routes/receipts";
import { changeInSandbox } from "@/server/http/routes/sandbox";
import { createSubscription, deleteSubscription, listSubscriptions } from "@/server/http/routes/subscriptions";
import { createTrigger, deleteTrigger, listTriggers } from "@/server/http/routes/triggers";
import { changeOccurrence, deleteEvent, writeEvent } from "@/server/http/routes/writing";

const onlyRead = endpoint([], "GET, HEAD");
const readiness = { ...onlyRead, GET: health, HEAD: health };

/** What balancers and operators ask of a process of any role. */
export const healthRoutes = {
  "/health": readiness,
  "/health/ready": readiness,
  "/health/live": { ...onlyRead, GET: live, HEAD: live },
};

/** What calendar programs read, with no credential but the address. */
export const feedRoutes = { "/feeds/[token]": { ...onlyRead, GET: feed, HEAD: feed } };

/**
 * The route table of the API: a module of methods for each path, as Next writes paths. The front door serves it, and the `route.ts` files of
 * `app` mount the same modules in Next, which serves them in development (ADR 1).
 */
export const apiRoutes = {
  "/mcp": endpoint([mcp]),
  "/oauth/register": endpoint([registerClient]),
  "/oauth/token": endpoint([createToken]),
  "/oauth/token/revoke": endpoint([revokeToken]),
  "/v1/[[...unknown]]": endpoint([]),
  "/v1/account": endpoint([showAccount]),
  "/v1/application_calendars": endpoint([openApplicationCalendar]),
  "/v1/availability": endpoint([findAvailability]),
  "/v1/batch": endpoint([sendBatch]),
  "/v1/bookings": endpoint([bookEvent]),
  "/v1/bookings/[booking_id]": endpoint([showBooking, cancelBooking]),
  "/v1/bookings/[booking_id]/confirm": endpoint([confirmBooking]),
  "/v1/calendars": endpoint([listCalendars]),
  "/v1/calendars/[calendar_id]/events": endpoint([writeEvent, deleteEvent]),
  "/v1/calendars/[calendar_id]/events/occurrences": endpoint([changeOccurrence]),
  "/v1/calendars/[calendar_id]/events/[event_id]/receipt": endpoint([showReceipt]),
  "/v1/calendars/[calendar_id]/events/[event_id]/participation_status": endpoint([replyToEvent]),
  "/v1/calendars/[calendar_id]/feeds": endpoint([listFeeds, createFeed]),
  "/v1/calendars/[calendar_id]/feeds/[feed_id]": endpoint([deleteFeed]),
  "/v1/changes": endpoint([listChanges]),
  "/v1/channels": endpoint([listChannels, openChannel]),
  "/v1/channels/[channel_id]": endpoint([closeChannel]),
  "/v1/channels/[channel_id]/delivery": endpoint([setDelivery]),
  "/v1/channels/[channel_id]/test": endpoint([testChannel]),
  "/v1/events": endpoint([listEvents, deleteEvents]),
  "/v1/events/[event_uid]": endpoint([getEvent, patchEvent, deleteEventByUid]),
  "/v1/free_busy": endpoint([listFreeBusy]),
  "/v1/link_tokens": endpoint([createLinkToken]),
  "/v1/profiles": endpoint([listProfiles]),
  "/v1/profiles/import": endpoint([importProfile]),
  "/v1/profiles/[profile_id]/reconnect_links": endpoint([createReconnectLink]),
  "/v1/profiles/[profile_id]/status": endpoint([showProfileStatus]),
  "/v1/resources": endpoint([listResources]),
  "/v1/sandbox/changes": endpoint([changeInSandbox]),
  "/v1/service_account_authorizations": endpoint([authorizeByServiceAccount]),
  "/v1/subscriptions": endpoint([listSubscriptions, createSubscription]),
  "/v1/subscriptions/[calendar_id]": endpoint([deleteSubscription]),
  "/v1/triggers": endpoint([listTriggers, createTrigger]),
  "/v1/triggers/[trigger_id]": endpoint([deleteTrigger]),
  "/v1/userinfo": endpoint([showUserinfo]),
  "/v1/writes": endpoint([listWrites]),
};
