import { expect, it } from "vitest";
import { type SummarizedAccount, supportSummary } from "@/components/dashboard/account-page/support-summary";
import type {
  AccountChannel,
  AccountDetail,
  AccountProfile,
  FailedWrite,
} from "@/server/services/staff/accounts/shapes";
import type { DeliveryRow } from "@/server/services/staff/lists/deliveries";
import type { RequestRow } from "@/server/services/staff/lists/requests";

const profile: AccountProfile = {
  ...{ id: "pro_1", provider: "google", service: "google", name: "mara@acme.io", access: "full", connected: true },
  ...{ providerLabel: "Google", host: null },
  ...{ disconnectedAt: null, waitingWrites: 0, reconnectPath: null, reconnectLinks: [], initialSyncRequired: false },
  ...{ lastSyncAt: "2026-11-29T05:41:00.000Z", syncDueAt: null, syncFailures: 0, syncError: null },
  createdAt: "2026-01-01T00:00:00.000Z",
};
const disconnected: AccountProfile = {
  ...profile,
  ...{ id: "pro_2", provider: "apple", providerLabel: "iCloud", service: "icloud", name: "mara@example.net" },
  ...{ connected: false, disconnectedAt: "2026-11-26T05:41:07.000Z", lastSyncAt: "2026-11-26T05:40:00.000Z" },
  ...{ syncFailures: 3, syncError: "credentials_rejected", reconnectPath: "/oauth/authorize?client_id=secretive" },
};
const channel: AccountChannel = {
  ...{ id: "chn_1", callbackUrl: "https://ada:pass@hooks.acme.io/calendar?token=hidden#x", state: "failing" },
  ...{ createdAt: "2026-11-01T00:00:00.000Z", closedAt: null, closedBy: null, pausedAt: null },
  ...{ failingSince: "2026-11-29T04:00:00.000Z", isOfTrigger: false, trigger: null },
};
const write: FailedWrite = {
  ...{ id: "7", calendarId: "cal_1", profileId: "pro_1", eventId: "standup-17", when: "Sat 29 Nov 2026, 09:00–10:00" },
  ...{ repeats: null, attempts: 1, lastError: "valid-calendar-data", state: "refused", waitsForReconnect: false },
  ...{ refusedAt: "2026-11-29T00:43:00.000Z", dueAt: null, createdAt: "2026-11-28T05:43:00.000Z" },
};
const delivery: DeliveryRow = {
  ...{ id: "whd_1", type: "change", applicationId: "app_1", applicationName: "Acme", accountId: "acc_1" },
  ...{ accountName: "mara@acme.io", channelId: "chn_1", host: "hooks.acme.io", endpoint: "hooks.acme.io/calendar" },
  ...{ state: "delivered", attempts: 1, lastStatus: 200, lastError: null, createdAt: "2026-11-29T03:00:00.000Z" },
  ...{ nextAttemptAt: null, finishedAt: null, manual: false, test: false, late: false, retrying: false },
};
const request: RequestRow = {
  ...{ id: "0", requestId: "req_1", at: "2026-11-29T05:42:13.250Z", method: "POST", path: "/v1/channels" },
  ...{ endpoint: "/v1/channels", status: 422, durationMs: 3, applicationId: "app_1", applicationName: "Acme" },
  ...{ accountId: "acc_1", accountName: "mara@acme.io", errorKeys: ["errors.required"] },
};
const account: AccountDetail = {
  ...{ id: "acc_1", kind: "account", applicationCalendarId: null, name: "Mara Lind", email: "mara@acme.io" },
  ...{ applicationId: "app_1", applicationName: "Acme", createdAt: "2026-10-20T08:00:00.000Z", revokedAt: null },
  ...{
    profileCount: 2,
    disconnectedCount: 1,
    delayedCount: 0,
    calendarCount: 2,
    refusedCount: 1,
    defaultTzid: "Europe/Stockholm",
  },
  ...{ waitingWrites: 3, openChannels: 1, noteCount: 0, profiles: [profile, disconnected], calendars: [] },
  ...{ channels: [channel], failedWrites: [write], bookings: [] },
};
const summarized: SummarizedAccount = {
  account,
  lastDelivery: delivery,
  lastFailedDelivery: {
    ...delivery,
    id: "whd_0",
    state: "pending",
    retrying: true,
    nextAttemptAt: "2026-11-29T07:00:00.000Z",
    attempts: 3,
    lastStatus: null,
    lastError: "timeout",
  },
  lastRequest: request,
  pageUrl: "https://almanac.acme.io/dashboard/accounts/acc_1",
  at: "2026-11-29T05:43:12.900Z",
};

it("has the account, its profiles, channels, deliveries, last request and failed writes, with times in UTC", () => {
  expect(supportSummary(summarized)).toBe(`Account: mara@acme.io
Account ID: acc_1
sub: acc_1
Type: Account
Application: Acme (app_1)
State: Disconnected
Created: 2026-10-20 08:00:00 UTC
Page: https://almanac.acme.io/dashboard/accounts/acc_1
As of: 2026-11-29 05:43:12 UTC

Profiles: 2
- Google, mara@acme.io (pro_1): Connected
  Last read: 2026-11-29 05:41:00 UTC
- iCloud, mara@example.net (pro_2): Disconnected
  Reason: Last 3 syncs failed: iCloud rejected the password. The user must reconnect.
  Since: 2026-11-26 05:41:07 UTC
  Last read: 2026-11-26 05:40:00 UTC

Channels: 1
- chn_1, https://hooks.acme.io/calendar: Failing since 2026-11-29 04:00:00 UTC

Last delivery: whd_1, change to hooks.acme.io/calendar: Delivered, 1 attempt, last response 200, created 2026-11-29 03:00:00 UTC
Last failed delivery: whd_0, change to hooks.acme.io/calendar: Retrying, 3 attempts, last response timed out, created 2026-11-29 03:00:00 UTC
Last request: POST /v1/channels: 422 (errors.required), req_1, 2026-11-29 05:42:13 UTC

Failed writes: 1
- standup-17 in cal_1: Rejected, 1 attempt, written 2026-11-28 05:43:00 UTC, ended 2026-11-29 00:43:00 UTC
  Reason: Google returned valid-calendar-data.
Pending writes: 3`);
});

it("has no secrets: no query or credentials of a callback URL, and no reconnect link", () => {
  expect(supportSummary(summarized)).not.toMatch(/token|hidden|pass@|ada:|authorize|secretive/);
});

it("says what there is none of", () => {
  const bare = { ...account, profiles: [], channels: [], failedWrites: [], waitingWrites: 0, disconnectedCount: 0 };
  const text = supportSummary({
    ...{ ...summarized, account: { ...bare, profileCount: 0, revokedAt: "2026-11-28T00:00:00.000Z" } },
    ...{ lastDelivery: null, lastFailedDelivery: null, lastRequest: null },
  });
  expect(text).toContain("State: Revoked since 2026-11-28 00:00:00 UTC");
  expect(text).toContain(`Profiles: none

Channels: none

Last delivery: none in the last 30 days
Last failed delivery: none in the last 30 days
Last request: none in the log

Failed writes: none
Pending writes: 0`);
});

it("keeps each thing on a line, and the first ten of many", () => {
  const many = Array.from({ length: 12 }, (_, n) => ({ ...write, id: String(n), eventId: `event\n${n}` }));
  const closed: AccountChannel = {
    ...channel,
    state: "closed",
    closedAt: "2026-11-27T00:00:00.000Z",
    closedBy: "gone",
  };
  const text = supportSummary({
    ...summarized,
    account: { ...account, failedWrites: many, channels: [closed], applicationName: "Acme\nState: fine" },
  });
  expect(text).toContain("Application: Acme State: fine (app_1)");
  expect(text).toContain("Failed writes: 12\n- event 0 in cal_1");
  expect(text).toContain("- event 9 in cal_1");
  expect(text).not.toContain("event 10");
  expect(text).toContain("- and 2 more");
  expect(text).toContain("Closed since 2026-11-27 00:00:00 UTC, closed after a 410 response");
});
