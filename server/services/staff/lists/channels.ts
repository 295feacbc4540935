import type { StaffList } from "@/server/services/staff/lists/list";

export interface ChannelRow {
  id: string;
  callbackUrl: string;
  accountId: string;
  applicationId: string;
  applicationName: string | null;
  /** In the API's format. */
  filters: { calendar_ids?: readonly string[]; only_managed?: boolean };
  createdAt: string;
  closedAt: string | null;
  /** `delete`, `staff`, `revoke` or `gone`: a receiver that responded with 410. */
  closedBy: string | null;
  /** Since when staff have paused its deliveries. */
  pausedAt: string | null;
}

/** Only GraphQL has this list: the dashboard shows channels as endpoints. */
export const channelList = {
  name: "channels",
  filters: {
    account: { kind: "id" },
    application: { kind: "id" },
    open: { kind: "flag" },
  },
} as const satisfies StaffList<ChannelRow>;
