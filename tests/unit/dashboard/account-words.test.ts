import { expect, it } from "vitest";
import { errorSentence } from "@/components/dashboard/accounts/words";
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

it("what is not known is quoted", () => {
  const sentence = errorSentence("http_403_ErrorAccessDenied", providerName("product", "outlook"));
  expect(sentence).toBe("Outlook.com returned http_403_ErrorAccessDenied.");
});
