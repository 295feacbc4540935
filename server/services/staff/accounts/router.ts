import { retryWrite, revoke, syncNow } from "@/server/services/staff/accounts/actions";
import { readDay, showTexts } from "@/server/services/staff/accounts/calendars/day";
import { readAccountCalendars } from "@/server/services/staff/accounts/calendars/read";
import { getAccount } from "@/server/services/staff/accounts/get";
import { countAccounts, listAccounts } from "@/server/services/staff/accounts/list";
import { readTimeline } from "@/server/services/staff/accounts/timeline/read";
import { staffRouter } from "@/server/services/staff/procedure/trpc";

/** Accounts, and what can be done for them. */
export const accountsRouter = staffRouter({
  list: listAccounts,
  count: countAccounts,
  get: getAccount,
  timeline: readTimeline,
  calendars: readAccountCalendars,
  day: readDay,
  showTexts,
  retryWrite,
  syncNow,
  revoke,
});
