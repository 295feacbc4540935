import { MAX_CALLBACK_URL } from "@/server/domain/text-limits";
import type { StaffList } from "@/server/services/staff/lists/list";

/** Times are ISO, in UTC. */
export interface AccountRow {
  id: string;
  kind: "account" | "application_calendar";
  /** The application's name for an application calendar. */
  applicationCalendarId: string | null;
  name: string;
  email: string;
  applicationId: string;
  applicationName: string;
  createdAt: string;
  revokedAt: string | null;
  profileCount: number;
  disconnectedCount: number;
  /** Connected profiles whose last two reads or more failed. */
  delayedCount: number;
  calendarCount: number;
  /** Events that a provider refused or that were given up. */
  refusedCount: number;
}

export const accountList = {
  name: "accounts",
  path: "/dashboard/accounts",
  search: { name: "q", label: "Search accounts", placeholder: "ID, callback URL or email" },
  filters: {
    application: { kind: "id", max: 100, chip: { label: "Application" } },
    disconnected: {
      kind: "flag",
      about: "If true, only accounts with a disconnected profile.",
      chip: { label: "Profiles", words: { true: "Any disconnected", false: "All connected" } },
    },
    sync: {
      kind: "choices",
      values: ["failing", "late"],
      about:
        "`failing`: at least three syncs of a profile failed in a row. `late`: a sync has been due for over five minutes.",
      chip: { label: "Sync", words: { failing: "Failing", late: "Late" } },
    },
    revoked: { kind: "flag", chip: { label: "Access", words: { false: "Active", true: "Revoked" } } },
    q: {
      kind: "text",
      max: MAX_CALLBACK_URL,
      about: "An ID, or the start of an email address, a callback URL or application_calendar_id.",
    },
  },
  sorts: {
    newest: { label: "Newest first", direction: "descending" },
    oldest: { label: "Oldest first", direction: "ascending" },
    disconnected: { label: "Disconnected first", about: "then the others, newest first", direction: "other" },
    name: { label: "Name, A to Z", direction: "ascending" },
  },
} as const satisfies StaffList<AccountRow>;
