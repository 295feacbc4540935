import { describe, expect, it } from "vitest";
import type { EventState } from "@/server/domain/events/event-state";
import { type Day, formatDay } from "@/server/domain/time/day";
import type { Instant } from "@/server/domain/time/instant";
import { changeSeries } from "@/server/services/events/change-series";

const FIRST = 20_000 as Day;

function series(skipped: number, changed: number): EventState {
  const days = (count: number) => Array.from({ length: count }, (_, i) => formatDay((FIRST + i) as Day));
  const starts = (FIRST * 86_400_000) as Instant;
  return {
    summary: "s",
    description: "",
    location: null,
    url: null,
    span: { starts, ends: (starts + 86_400_000) as Instant, allDay: true },
    tzid: null,
    transparency: "opaque",
    private: false,
    status: "confirmed",
    participationStatus: "accepted",
    organizer: null,
    attendees: [],
    categories: [],
    conferencing: null,
    icalRecurrence: null,
    ruleSeries: {
      rules: [{ frequency: "daily" }],
      rule: { frequency: "daily", interval: 1, count: null, until: null, byDay: [] },
      skipped: days(skipped),
      changed: days(changed).map((day) => ({ day, span: null, texts: { summary: "x" } })),
    },
  };
}

describe("the exceptions that a series keeps", () => {
  const next = (FIRST + 5_000) as Day;

  it("are at most 730 skipped and 730 changed days; one more is errors.too_big on occurrence_date", () => {
    for (const [state, what] of [
      [series(730, 0), { skip: true as const }],
      [series(0, 730), { span: null, texts: { summary: "y" } }],
    ] as const) {
      expect(() => changeSeries(state, next, what)).toThrow(
        expect.objectContaining({
          reason: expect.objectContaining({
            issues: [expect.objectContaining({ key: "errors.too_big", path: ["occurrence_date"] })],
          }),
        }),
      );
    }
  });

  it("may still be changed when there are 730: a day that is named again is not one more", () => {
    expect(
      changeSeries(series(0, 730), FIRST, { span: null, texts: { summary: "y" } }).ruleSeries?.changed,
    ).toHaveLength(730);
    expect(changeSeries(series(729, 0), next, { skip: true }).ruleSeries?.skipped).toHaveLength(730);
  });
});
