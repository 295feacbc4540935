import { showAccount } from "@/server/services/account";
import { openApplicationCalendar } from "@/server/services/application-calendars/open";
import { closeChannel } from "@/server/services/channels/close";
import { listChannels } from "@/server/services/channels/list";
import { openChannel } from "@/server/services/channels/open";
import { testChannel } from "@/server/services/channels/test";
import { changeOccurrence } from "@/server/services/events/change-occurrence";
import { removeEvent } from "@/server/services/events/delete";
import { writeEvent } from "@/server/services/events/write/write";
import { revoke } from "@/server/services/grants/revoke";
import { token } from "@/server/services/grants/token";
import { createLinkToken } from "@/server/services/link-tokens";
import { listCalendars, listProfiles } from "@/server/services/profiles/list";
import { listEvents } from "@/server/services/reads/events/list";
import { listFreeBusy } from "@/server/services/reads/free-busy/list";
import { changeInSandbox } from "@/server/services/sandbox/change";
import { visit } from "@/server/services/sandbox/visit";
import { createCallerFactory, router } from "@/server/services/trpc";
import { showUserinfo } from "@/server/services/userinfo";

/** Every endpoint of the public API, one procedure each. */
export const api = router({
  account: showAccount,
  userinfo: showUserinfo,
  profiles: listProfiles,
  calendars: listCalendars,
  freeBusy: listFreeBusy,
  events: router({ list: listEvents, write: writeEvent, remove: removeEvent, changeOccurrence }),
  sandbox: router({ change: changeInSandbox, visit }),
  channels: router({ open: openChannel, list: listChannels, test: testChannel, close: closeChannel }),
  linkTokens: router({ create: createLinkToken }),
  applicationCalendars: router({ open: openApplicationCalendar }),
  grants: router({ token, revoke }),
});

export const apiCaller = createCallerFactory(api);
export type ApiCaller = ReturnType<typeof apiCaller>;
