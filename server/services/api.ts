import { showAccount } from "@/server/services/account";
import { openApplicationCalendar } from "@/server/services/application-calendars/open";
import { assistantAccess } from "@/server/services/assistants/access";
import { issuePreview, verifyPreview } from "@/server/services/assistants/previews";
import { findAvailability } from "@/server/services/availability/find";
import { readBatch } from "@/server/services/batch/read";
import { book } from "@/server/services/bookings/book";
import { confirmBooking } from "@/server/services/bookings/confirm";
import { cancelBooking, showBooking } from "@/server/services/bookings/one";
import { listChanges } from "@/server/services/changes/list";
import { closeChannel } from "@/server/services/channels/close";
import { listChannels } from "@/server/services/channels/list";
import { openChannel } from "@/server/services/channels/open";
import { setDelivery } from "@/server/services/channels/set-delivery";
import { testChannel } from "@/server/services/channels/test";
import { changeOccurrence } from "@/server/services/events/change-occurrence";
import { removeEvent } from "@/server/services/events/delete";
import { removeEvents } from "@/server/services/events/delete-many";
import { writeEvent } from "@/server/services/events/write/write";
import { createFeed } from "@/server/services/feeds/create";
import { deleteFeed, listFeeds } from "@/server/services/feeds/list";
import { findFeed, readFeed } from "@/server/services/feeds/read";
import { revoke } from "@/server/services/grants/revoke";
import { token } from "@/server/services/grants/token";
import { createLinkToken } from "@/server/services/link-tokens";
import { getEvent } from "@/server/services/named-events/get";
import { patchEvent } from "@/server/services/named-events/patch";
import { deleteNamedEvent } from "@/server/services/named-events/remove";
import { replyToEvent } from "@/server/services/named-events/reply";
import { authorizeByServiceAccount } from "@/server/services/organizations/authorize";
import { listResources } from "@/server/services/organizations/resources";
import { importProfile } from "@/server/services/profiles/import";
import { listCalendars, listProfiles } from "@/server/services/profiles/list";
import { createReconnectLink } from "@/server/services/profiles/reconnect-link";
import { showProfileStatus } from "@/server/services/profiles/status";
import { findEvents, listEvents } from "@/server/services/reads/events/list";
import { listFreeBusy } from "@/server/services/reads/free-busy/list";
import { registerClient } from "@/server/services/registration/register";
import { changeInSandbox } from "@/server/services/sandbox/change";
import { visit } from "@/server/services/sandbox/visit";
import {
  createSubscription,
  deleteSubscription,
  listSubscriptions,
} from "@/server/services/subscriptions/subscriptions";
import { createTrigger, deleteTrigger, listTriggers } from "@/server/services/triggers/triggers";
import { createCallerFactory, router } from "@/server/services/trpc";
import { showUserinfo } from "@/server/services/userinfo";
import { listWrites } from "@/server/services/writes/list";
import { showReceipt } from "@/server/services/writes/receipt";

/** Every endpoint of the public API, one procedure each. */
export const api = router({
  account: showAccount,
  userinfo: showUserinfo,
  profiles: listProfiles,
  calendars: listCalendars,
  profileStatus: showProfileStatus,
  reconnectLinks: router({ create: createReconnectLink }),
  importProfile,
  organizations: router({ authorize: authorizeByServiceAccount, resources: listResources }),
  freeBusy: listFreeBusy,
  availability: findAvailability,
  bookings: router({ book, show: showBooking, confirm: confirmBooking, cancel: cancelBooking }),
  events: router({
    ...{
      list: listEvents,
      find: findEvents,
      write: writeEvent,
      remove: removeEvent,
      removeMany: removeEvents,
      changeOccurrence,
      receipt: showReceipt,
    },
    ...{ get: getEvent, patch: patchEvent, removeByUid: deleteNamedEvent, reply: replyToEvent },
  }),
  assistantAccess,
  assistantPreviews: router({ issue: issuePreview, verify: verifyPreview }),
  batch: router({ read: readBatch }),
  writes: listWrites,
  sandbox: router({ change: changeInSandbox, visit }),
  changes: listChanges,
  channels: router({ open: openChannel, setDelivery, list: listChannels, test: testChannel, close: closeChannel }),
  triggers: router({ create: createTrigger, list: listTriggers, remove: deleteTrigger }),
  subscriptions: router({ create: createSubscription, list: listSubscriptions, remove: deleteSubscription }),
  feeds: router({ create: createFeed, list: listFeeds, remove: deleteFeed, find: findFeed, read: readFeed }),
  linkTokens: router({ create: createLinkToken }),
  applicationCalendars: router({ open: openApplicationCalendar }),
  grants: router({ token, revoke, registerClient }),
});

export const apiCaller = createCallerFactory(api);
export type ApiCaller = ReturnType<typeof apiCaller>;
