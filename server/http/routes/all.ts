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
  authorize,
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
import type { Operation } from "@/server/http/routes/route";
import { changeInSandbox } from "@/server/http/routes/sandbox";
import { createSubscription, deleteSubscription, listSubscriptions } from "@/server/http/routes/subscriptions";
import { createTrigger, deleteTrigger, listTriggers } from "@/server/http/routes/triggers";
import { changeOccurrence, deleteEvent, writeEvent } from "@/server/http/routes/writing";

/** Every operation of the public API, in the order of the OpenAPI document. */
export const operations: readonly Operation[] = [
  authorize,
  createToken,
  revokeToken,
  registerClient,
  openApplicationCalendar,
  createLinkToken,
  createReconnectLink,
  importProfile,
  authorizeByServiceAccount,
  listResources,
  showAccount,
  showUserinfo,
  listProfiles,
  showProfileStatus,
  listCalendars,
  createSubscription,
  listSubscriptions,
  deleteSubscription,
  createFeed,
  listFeeds,
  deleteFeed,
  listFreeBusy,
  listEvents,
  getEvent,
  listChanges,
  findAvailability,
  bookEvent,
  showBooking,
  confirmBooking,
  cancelBooking,
  writeEvent,
  deleteEvent,
  changeOccurrence,
  sendBatch,
  deleteEvents,
  showReceipt,
  listWrites,
  patchEvent,
  deleteEventByUid,
  replyToEvent,
  openChannel,
  listChannels,
  setDelivery,
  testChannel,
  closeChannel,
  createTrigger,
  listTriggers,
  deleteTrigger,
  changeInSandbox,
];
