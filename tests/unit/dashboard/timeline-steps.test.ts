import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { Steps } from "@/components/dashboard/account-page/timeline/steps";
import type { Timeline } from "@/server/services/staff/accounts/timeline/shapes";

const MIDNIGHT = Date.UTC(2026, 10, 25);
const MINUTE = 60_000;

/** What the steps of a timeline say, one a line: a delivery each, created and attempted so many minutes after midnight. */
function shown(
  zone: string,
  [from, to]: [number, number],
  ...deliveries: { at: number; attempts: number[] }[]
): string[] {
  const steps = deliveries.map(({ at, attempts }) => ({
    ...{ kind: "delivery", at: MIDNIGHT + at * MINUTE },
    delivery: {
      ...{ id: "whd_1", channelId: "chn_1", type: "change", test: false, state: "delivered", changesSince: MIDNIGHT },
      ...{ createdAt: MIDNIGHT + at * MINUTE, finishedAt: null, nextAttemptAt: null, isJoined: false },
      attempts: attempts.map((minutes, index) => ({
        ...{ number: index + 1, manual: false, startedAt: MIDNIGHT + minutes * MINUTE },
        ...{ durationMs: null, status: 200, error: null },
      })),
    },
  }));
  const window = { from: MIDNIGHT + from * MINUTE, to: MIDNIGHT + to * MINUTE };
  const timeline = { ...window, steps, channels: [{ id: "chn_1", endpoint: "hooks" }] } as unknown as Timeline;
  const html = renderToStaticMarkup(createElement(Steps, { timeline, zone }));
  return [...html.matchAll(/<time[^>]*>(.*?)<\/time>|(attempt [^<]*)/g)].map(([, time, attempt]) =>
    (time ?? attempt ?? "").replace(/<[^>]*>/g, " ").trim(),
  );
}

it("the steps of one day have clock times, and an attempt of another day has that day too", () => {
  expect(shown("UTC", [60, 120], { at: 90, attempts: [91, 90 + 24 * 60] })).toEqual([
    "01:30:00",
    "attempt 1 at 01:31:00: 200",
    "attempt 2 at 2026-11-26 01:30:00: 200",
  ]);
});

it("the steps of a window over midnight, in the reader's zone, have their days", () => {
  const around: [number, number] = [-30, 30];
  expect(shown("UTC", around, { at: -1, attempts: [1] }, { at: 2, attempts: [] })).toEqual([
    "2026-11-24 23:59:00",
    "attempt 1 at 2026-11-25 00:01:00: 200",
    "2026-11-25 00:02:00",
  ]);
  expect(shown("Asia/Tokyo", around, { at: -1, attempts: [1] })).toEqual(["08:59:00", "attempt 1 at 09:01:00: 200"]);
});
