import { expect, it } from "vitest";
import { errorSentence, pollSentence, pushSentence } from "@/components/dashboard/accounts/words";
import { type Provider, providerTraits } from "@/server/domain/providers";
import { providerName } from "@/server/domain/wire-names";
import { PARTIAL_GUEST_LIST } from "@/server/providers/google/partial-guest-list";

const named = (provider: Provider) => ({
  provider: providerName("product", provider),
  providerLabel: providerTraits[provider].label,
});

it("a write that Google lists too few guests for has its reason in a sentence", () => {
  const sentence = errorSentence(PARTIAL_GUEST_LIST, named("google"));
  expect(sentence).toBe("Google shows only part of the event’s guest list, so guests can’t be added or removed.");
});

it.each([
  "monthly_weekdays_unsupported",
  "time_zone_unsupported",
  "rule_unsupported",
  "occurrence_not_restored",
  "not_organizer",
  "http_400_ErrorOccurrenceCrossingBoundary",
  "http_400_ErrorOccurrenceTimeSpanTooBig",
])("what Microsoft cannot do with an event is said in a sentence: %s", (reason) => {
  const sentence = errorSentence(reason, named("microsoft"));
  expect(sentence).toMatch(/^Microsoft 365 [a-z]/);
  expect(sentence).not.toContain(reason);
});

it.each(["calendar_failed", "no_mailbox", "misconfigured"])("%s is said in a sentence", (error) => {
  const sentence = errorSentence(error, named("google"));
  expect(sentence).toMatch(/^Google [a-z]/);
  expect(sentence).not.toContain(error);
});

it.each([
  ["google", "http_401_push.webhookUrlUnauthorized", "Google doesn’t accept the domain of BASE_URL."],
  ["google", "http_400_push.webhookUrlNotHttps", "Google requires BASE_URL to be https."],
  ["microsoft", "http_401_ExtensionError", "Microsoft 365 couldn’t confirm that BASE_URL can be reached."],
  ["microsoft", "http_403_ErrorAccessDenied", "Microsoft 365 doesn’t allow it for this calendar."],
  ["google", "http_503_backendError", "Google returned http_503_backendError."],
] as const)("why %s sends no notifications (%s) is said in a sentence", (provider, reason, why) => {
  const rest = "The calendar is checked instead, and notifications are tried again every hour.";
  expect(pushSentence(reason, named(provider))).toBe(`No notifications: ${why} ${rest}`);
});

it("a CalDAV server is called by its name, and never iCloud", () => {
  const server = { ...named("caldav"), providerLabel: "Example Cloud" };
  expect(errorSentence("credentials_rejected", server)).toMatch(/^Example Cloud .*password/);
});

it.each([
  ["apple", 10, 10, "Checked every 10 s; this provider sends no notifications."],
  [
    "caldav",
    60,
    300,
    "Checked every 1 min, or every 5 min while nothing changes; this provider sends no notifications.",
  ],
  ["google", 60, 60, "Checked when a notification comes, and at least every 6 h."],
] as const)("how often %s is checked, every %i to %i s, is said in a sentence", (provider, least, most, sentence) => {
  expect(pollSentence({ provider, pollSeconds: { least, most } })).toBe(sentence);
  expect(pollSentence({ provider, pollSeconds: null })).toBeNull();
});

it("what is not known is quoted", () => {
  const sentence = errorSentence("http_403_ErrorAccessDenied", named("outlook"));
  expect(sentence).toBe("Outlook.com returned http_403_ErrorAccessDenied.");
});
