import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { Profiles } from "@/components/dashboard/accounts/profiles";
import { accountState } from "@/components/dashboard/accounts/words";
import type { Access } from "@/server/domain/access";
import type { AccountProfile } from "@/server/services/staff/accounts/shapes";
import type { AccountRow } from "@/server/services/staff/lists/accounts";

const profile: AccountProfile = {
  ...{ id: "pro_1", provider: "google", service: "google", name: "ada@acme.io", access: "full", connected: true },
  ...{ providerLabel: "Google", host: null },
  ...{ disconnectedAt: null, waitingWrites: 0, reconnectPath: null, reconnectLinks: [], initialSyncRequired: false },
  ...{ lastSyncAt: null, syncDueAt: null, syncFailures: 0, syncError: null, createdAt: "2026-01-01T00:00:00Z" },
};

function shown(access: Access, more: Partial<AccountProfile> = {}): string {
  const props = {
    profiles: [{ ...profile, access, ...more }],
    applicationName: "Acme",
    appUrl: "https://almanac.acme.io",
    now: 0,
  };
  return renderToStaticMarkup(createElement(Profiles, props));
}

it("a profile says that it is read-only, or free/busy only", () => {
  expect(shown("read")).toContain("<span>Read-only</span>");
  expect(shown("free_busy")).toContain("<span>Free/busy only</span>");
  expect(shown("full")).not.toMatch(/Read-only|Free\/busy/);
});

it("a feed shows its host, and why it can't be read", () => {
  const feed = {
    provider: "feed",
    providerLabel: "Calendar feed",
    service: "feed",
    name: "Roster",
    host: "calendars.acme.io",
  };
  expect(shown("full", feed)).toContain("<span>Calendar feed at calendars.acme.io</span>");
  const gone = shown("full", { ...feed, syncFailures: 2, syncError: "calendar_deleted" });
  expect(gone).toContain("Last 2 syncs failed: The feed no longer exists at its address.");
});

it("an account whose reads fail is delayed, unless a profile is disconnected", () => {
  const account: AccountRow = {
    ...{ id: "acc_1", kind: "account", applicationCalendarId: null, name: "Ada", email: "ada@acme.io" },
    ...{ applicationId: "app_1", applicationName: "Acme", createdAt: "2026-01-01T00:00:00Z", revokedAt: null },
    ...{ profileCount: 2, disconnectedCount: 0, delayedCount: 0, calendarCount: 1, refusedCount: 0 },
  };
  expect(accountState(account)).toEqual({ tone: "good", word: "Connected" });
  expect(accountState({ ...account, delayedCount: 1 })).toEqual({ tone: "wait", word: "Delayed" });
  expect(accountState({ ...account, delayedCount: 1, disconnectedCount: 1 }).word).toBe("Disconnected");
});
