import { describe, expect, it } from "vitest";
import { backgroundState } from "@/components/dashboard/overview/background-state";
import { serviceState } from "@/components/dashboard/overview/service-state";
import type { Background, Overview } from "@/server/services/staff/overview/shapes";

const NOW = Date.parse("2026-11-21T10:31:20Z");
const ago = (minutes: number) => new Date(NOW - minutes * 60_000).toISOString();

const background: Background = {
  engine: "embedded",
  chores: { count: 10, late: [] },
  lastLookAt: ago(1),
  waitingSignals: 1,
  deadLetters: 0,
};
const healthy: Overview = {
  requestsPerMinute: [],
  errorRate: 0,
  throttledApplications: [],
  deliveries: { queued: 3, retrying: 1, lastError: "timeout", late: 0, failed: 0, failedSince: ago(2880) },
  failingEndpoints: { items: [], groups: 0, count: 0, more: false },
  mailboxes: { items: [], groups: 0, disconnected: 0, failing: 0, late: 0 },
  background,
};

describe("the state of the service", () => {
  it("is good only while nothing is wrong", () => {
    expect(serviceState(healthy, NOW)).toEqual({ tone: "good", line: "Healthy. Nothing needs attention." });
  });

  const problems: [string, Partial<Overview>, string, string][] = [
    [
      "an endpoint fails",
      { failingEndpoints: { ...healthy.failingEndpoints, count: 1 } },
      "bad",
      "1 endpoint failing.",
    ],
    [
      "mailboxes are disconnected",
      { mailboxes: { ...healthy.mailboxes, disconnected: 1_200 } },
      "bad",
      "1,200 profiles disconnected.",
    ],
    [
      "mailboxes are not read",
      { mailboxes: { ...healthy.mailboxes, failing: 1, late: 2 } },
      "wait",
      "1 profile not syncing, 2 profiles late.",
    ],
    ["deliveries are late", { deliveries: { ...healthy.deliveries, late: 1 } }, "wait", "1 delivery late."],
    [
      "deliveries failed lately",
      { deliveries: { ...healthy.deliveries, failed: 4 } },
      "wait",
      "4 deliveries failed in 48 h.",
    ],
    [
      "background work stands still",
      { background: { ...background, lastLookAt: ago(3) } },
      "wait",
      "Background jobs need attention.",
    ],
  ];
  it.each(problems)("is not good while %s, and its line says so", (_, problem, tone, line) => {
    expect(serviceState({ ...healthy, ...problem }, NOW)).toEqual({ tone, line });
  });
});

describe("the line of the background jobs", () => {
  const lineOf = (changes: Partial<Overview["background"]>) => backgroundState({ ...background, ...changes }, NOW);

  it("counts what waits while nothing is wrong, without a green light of its own", () => {
    expect(lineOf({})).toEqual({ tone: "off", word: "Healthy", line: "1 waiting." });
  });

  it("says what is wrong", () => {
    const chores = { count: 10, late: ["drop-expired-tokens", "continue-series"] };
    expect(lineOf({ chores, lastLookAt: ago(4), deadLetters: 1 })).toEqual({
      tone: "wait",
      word: "Needs attention",
      line: "The last check for alerts was 4 min ago, 2 scheduled jobs late (drop-expired-tokens, continue-series), 1 unprocessable signal.",
    });
  });

  it("says when an Inngest server runs the jobs", () => {
    const line = "1 waiting. Jobs run on Inngest.";
    expect(lineOf({ engine: "inngest" })).toEqual({ tone: "off", word: "Healthy", line });
  });
});
