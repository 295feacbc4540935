import { expect, it } from "vitest";
import { RETRIED_FOR_MS, WAITS_MS } from "@/server/domain/channels/schedule";
import { durationGroups, durationWords, roughly, shortDuration } from "@/server/domain/time/duration-words";

it.each([
  [15_000, "15 seconds", "15 s"],
  [60_000, "1 minute", "1 min"],
  [90_000, "90 seconds", "90 s"],
  [300_000, "5 minutes", "5 min"],
  [3_600_000, "1 hour", "1 h"],
  [48 * 3_600_000, "48 hours", "48 h"],
])("%i ms is %s, or %s", (ms, words, short) => {
  expect(durationWords(ms)).toBe(words);
  expect(shortDuration(ms)).toBe(short);
});

it("the waits of the retry schedule share their units", () => {
  expect(durationGroups(WAITS_MS)).toEqual(["15 seconds", "1, 5 and 15 minutes", "1, 2, 4, 6 and 10 hours"]);
  expect(durationGroups([60_000])).toEqual(["1 minute"]);
});

it.each([
  [RETRIED_FOR_MS, "about a day"],
  [50 * 60_000, "about an hour"],
  [19 * 3_600_000, "about 19 hours"],
  [26 * 3_600_000, "about a day"],
  [47 * 3_600_000, "about 2 days"],
])("%i ms are %s", (ms, words) => {
  expect(roughly(ms)).toBe(words);
});
