import { expect, it } from "vitest";
import { errorSentence, pushSentence } from "@/components/dashboard/accounts/words";
import { providerName } from "@/server/domain/wire-names";
import { PARTIAL_GUEST_LIST } from "@/server/providers/google/partial-guest-list";

it("a write that Google lists too few guests for has its reason in a sentence", () => {
  const sentence = errorSentence(PARTIAL_GUEST_LIST, providerName("product", "google"));
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
  const sentence = errorSentence(reason, providerName("product", "microsoft"));
  expect(sentence).toMatch(/^Microsoft 365 [a-z]/);
  expect(sentence).not.toContain(reason);
});

it.each(["calendar_failed", "no_mailbox", "misconfigured"])("%s is said in a sentence", (error) => {
  const sentence = errorSentence(error, providerName("product", "google"));
  expect(sentence).toMatch(/^Google [a-z]/);
  expect(sentence).not.toContain(error);
});

it.each([
  ["google", "http_401_push.webhookUrlUnauthorized", "Google doesn’t accept the domain of BASE_URL."],
  ["google", "http_400_push.webhookUrlNotHttps", "Google requires BASE_URL to be https."],
  ["microsoft", "http_401_ExtensionError", "Microsoft 365 couldn’t confirm that BASE_URL can be reached."],
  ["microsoft", "http_403_ErrorAccessDenied", "Microsoft 365 doesn’t allow it for this calendar."],
  ["google", "http_503_backendError", "Google returned http_503_backendError."],
] as const)("why %s sends no push (%s) is said in a sentence", (provider, reason, why) => {
  const rest = "The calendar is polled, and push is tried again every hour.";
  expect(pushSentence(reason, providerName("product", provider))).toBe(`No push: ${why} ${rest}`);
});

it("what is not known is quoted", () => {
  const sentence = errorSentence("http_403_ErrorAccessDenied", providerName("product", "outlook"));
  expect(sentence).toBe("Outlook.com returned http_403_ErrorAccessDenied.");
});
