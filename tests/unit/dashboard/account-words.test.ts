import { expect, it } from "vitest";
import { errorSentence } from "@/components/dashboard/accounts/words";
import { providerName } from "@/server/domain/wire-names";
import { PARTIAL_GUEST_LIST } from "@/server/providers/google/partial-guest-list";

it("a write that Google lists too few guests for has its reason in a sentence", () => {
  const sentence = errorSentence(PARTIAL_GUEST_LIST, providerName("product", "google"));
  expect(sentence).toBe("Google shows only part of the event’s guest list, so guests can’t be added or removed.");
});
