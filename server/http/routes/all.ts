import { listCalendars, listProfiles, showAccount, showUserinfo } from "@/server/http/routes/accounts";
import {
  authorize,
  createLinkToken,
  createToken,
  openApplicationCalendar,
  revokeToken,
} from "@/server/http/routes/connecting";
import { closeChannel, listChannels, openChannel, testChannel } from "@/server/http/routes/notifications";
import { listEvents, listFreeBusy } from "@/server/http/routes/reading";
import type { Operation } from "@/server/http/routes/route";
import { changeInSandbox } from "@/server/http/routes/sandbox";
import { changeOccurrence, deleteEvent, writeEvent } from "@/server/http/routes/writing";

/** Every operation of the public API, in the order of the OpenAPI document. */
export const operations: readonly Operation[] = [
  authorize,
  createToken,
  revokeToken,
  openApplicationCalendar,
  createLinkToken,
  showAccount,
  showUserinfo,
  listProfiles,
  listCalendars,
  listFreeBusy,
  listEvents,
  writeEvent,
  deleteEvent,
  changeOccurrence,
  openChannel,
  listChannels,
  testChannel,
  closeChannel,
  changeInSandbox,
];
