import { describe, expect, it } from "vitest";
import { changeOutcome } from "@/server/domain/timeline/change-outcome";
import type { ChannelFacts, DeliveryFacts, SeenChange, TimelineFacts } from "@/server/domain/timeline/facts";
import { findings } from "@/server/domain/timeline/findings";
import { timelineSteps } from "@/server/domain/timeline/steps";

const T = Date.UTC(2026, 10, 25, 10, 3);
const SECOND = 1_000;
const HOUR = 3_600_000;

const channel = (more: Partial<ChannelFacts> = {}): ChannelFacts => ({
  ...{ id: "chn_1", calendarIds: null, onlyManaged: null },
  ...{ openedAt: T - HOUR, pausedAt: null, closedAt: null, closedBy: null, ...more },
});

const change = (more: Partial<SeenChange> = {}): SeenChange => ({
  ...{ calendarId: "cal_1", managed: false, firstAt: T, lastAt: T, ...more },
});

interface Attempted extends Partial<Omit<DeliveryFacts, "attempts">> {
  /** When each attempt began and its status. */
  attempts?: [number, number | null][];
}

function delivery({ attempts = [], ...more }: Attempted = {}): DeliveryFacts {
  return {
    ...{ id: "whd_1", channelId: "chn_1", type: "change", test: false, state: "pending", changesSince: T },
    ...{ createdAt: T + SECOND, finishedAt: null, nextAttemptAt: null, isJoined: false },
    ...more,
    attempts: attempts.map(([startedAt, status], index) => ({
      ...{
        number: index + 1,
        manual: false,
        startedAt,
        durationMs: 9,
        status,
        error: status === null ? "timeout" : null,
      },
    })),
  };
}

function facts(more: Partial<TimelineFacts> = {}): TimelineFacts {
  return {
    ...{ now: T + HOUR, from: T - HOUR / 2, to: T + HOUR / 2, revokedAt: null, disabledAt: null },
    profiles: [profile()],
    ...{ channels: [channel()], changes: [], deliveries: [], writes: [], waiting: 0, setAside: 0, ...more },
  };
}

function profile(more: Partial<TimelineFacts["profiles"][number]> = {}): TimelineFacts["profiles"][number] {
  return {
    ...{ id: "pro_1", provider: "google", isHosted: false, connected: true, disconnectedAt: null, isFirstSync: false },
    ...{ syncFailures: 0, syncError: null, throttledUntil: null, ...more },
  };
}

interface Around {
  of?: Partial<ChannelFacts>;
  change?: Partial<SeenChange>;
  deliveries?: DeliveryFacts[];
  isWaiting?: boolean;
  now?: number;
}

const outcome = ({ of, change: changed, deliveries = [], isWaiting = false, now = T + HOUR }: Around) =>
  changeOutcome(change(changed), { channel: channel(of), deliveries, isWaiting, now });

describe("a channel and a change", () => {
  it.each<[string, Around, object]>([
    ["opened later", { of: { openedAt: T + HOUR } }, { kind: "not_opened" }],
    ["closed before", { of: { closedAt: T - HOUR / 2 } }, { kind: "closed" }],
    ["closed before the second was over", { of: { closedAt: T + SECOND / 2 } }, { kind: "closed" }],
    ["another calendar's", { of: { calendarIds: ["cal_2"] } }, { kind: "filtered", by: "calendar_ids" }],
    ["not the application's", { of: { onlyManaged: true } }, { kind: "filtered", by: "only_managed" }],
    ["the queue is late", { isWaiting: true }, { kind: "waiting" }],
    ["its second is not over", { now: T + SECOND / 2 }, { kind: "waiting" }],
    ["nothing says why", {}, { kind: "unexplained" }],
    ["one for itself", { deliveries: [delivery()] }, { kind: "notified", how: "new", deliveries: ["whd_1"] }],
    [
      "an application's event, with only_managed",
      { of: { onlyManaged: true }, change: { managed: true }, deliveries: [delivery()] },
      { kind: "notified", how: "new", deliveries: ["whd_1"] },
    ],
    [
      "joined with one that was not attempted yet",
      {
        deliveries: [
          delivery({ createdAt: T - 9 * SECOND, changesSince: T - 10 * SECOND, attempts: [[T + SECOND, 200]] }),
        ],
      },
      { kind: "notified", how: "joined", deliveries: ["whd_1"] },
    ],
    [
      "waits for one that is being retried",
      {
        deliveries: [
          delivery({
            createdAt: T - 9 * SECOND,
            changesSince: T - 10 * SECOND,
            isJoined: true,
            attempts: [[T - 8 * SECOND, 500]],
          }),
        ],
      },
      { kind: "waits_for", delivery: "whd_1" },
    ],
    [
      "after one that was being retried",
      {
        deliveries: [
          delivery({
            ...{ id: "whd_0", createdAt: T - 9 * SECOND, changesSince: T - 10 * SECOND, state: "delivered" },
            ...{
              finishedAt: T + 7 * SECOND,
              attempts: [
                [T - 8 * SECOND, 500],
                [T + 7 * SECOND, 200],
              ],
            },
          }),
          delivery({ createdAt: T + 7 * SECOND }),
        ],
      },
      { kind: "notified", how: "waited", deliveries: ["whd_1"] },
    ],
    [
      "repeated, because the first one failed",
      { deliveries: [delivery({ state: "failed" }), delivery({ id: "whd_2", createdAt: T + HOUR })] },
      { kind: "notified", how: "new", deliveries: ["whd_1", "whd_2"] },
    ],
    [
      "not by what was delivered before, by a later change's or by a test event",
      {
        deliveries: [
          delivery({ id: "a", createdAt: T - HOUR, changesSince: T - HOUR, attempts: [[T - HOUR, 200]] }),
          delivery({ id: "b", changesSince: T + SECOND }),
          delivery({ id: "c", test: true, changesSince: null }),
        ],
      },
      { kind: "unexplained" },
    ],
  ])("%s", (_, around, expected) => {
    expect(outcome(around)).toEqual(expected);
  });
});

const kinds = (more: Partial<TimelineFacts>) => findings(facts(more)).map(({ kind }) => kind);

describe("why nothing arrived", () => {
  it.each<[string, Partial<TimelineFacts>, string[]]>([
    ["no change was seen", {}, ["no_change"]],
    ["only the application wrote", { writes: [{ at: T, status: 202, isSandbox: false }] }, ["own_writes", "no_change"]],
    [
      "a write that was refused counts for nothing",
      { writes: [{ at: T, status: 422, isSandbox: false }] },
      ["no_change"],
    ],
    ["all calendars are hosted", { profiles: [profile({ isHosted: true })] }, ["hosted"]],
    ["there never was a channel", { channels: [] }, ["no_channel"]],
    ["the channel came later", { channels: [channel({ openedAt: T + HOUR })] }, ["not_opened"]],
    [
      "the channel was closed before",
      { channels: [channel({ closedAt: T - HOUR / 2, closedBy: "gone" })] },
      ["channels_closed"],
    ],
    [
      "access was revoked",
      { revokedAt: T - HOUR, profiles: [], channels: [channel({ closedAt: T - HOUR })] },
      ["revoked"],
    ],
    ["the channel is paused", { channels: [channel({ pausedAt: T })] }, ["paused", "no_change"]],
    ["the application is disabled", { disabledAt: T - HOUR }, ["disabled"]],
    ["disconnected before", { profiles: [profile({ connected: false, disconnectedAt: T - HOUR })] }, ["disconnected"]],
    ["disconnected, nobody knows since when", { profiles: [profile({ connected: false })] }, ["disconnected"]],
    ["disconnected since then", { profiles: [profile({ connected: false, disconnectedAt: T + HOUR })] }, ["no_change"]],
    [
      "one of two is disconnected",
      { profiles: [profile(), profile({ id: "b", connected: false })] },
      ["disconnected", "no_change"],
    ],
    [
      "the provider limits us",
      { profiles: [profile({ throttledUntil: T + 2 * HOUR, syncError: "throttled" })] },
      ["throttled", "no_change"],
    ],
    ["syncs fail", { profiles: [profile({ syncError: "down", syncFailures: 3 })] }, ["sync_failing", "no_change"]],
    [
      "it is being read for the first time",
      { profiles: [profile({ isFirstSync: true })] },
      ["first_sync", "no_change"],
    ],
    ["the filter held it back", { changes: [change()], channels: [channel({ onlyManaged: true })] }, ["filtered"]],
    ["it waits", { changes: [change()], waiting: 1 }, ["waiting"]],
    ["it could not be processed", { changes: [change()], setAside: 2 }, ["set_aside", "unexplained"]],
    ["it was delivered", { changes: [change()], deliveries: [delivery({ state: "delivered" })] }, ["delivered"]],
    ["it was cancelled", { changes: [change()], deliveries: [delivery({ state: "cancelled" })] }, ["cancelled"]],
    ["a delivery without a change that was recorded", { deliveries: [delivery()] }, ["queued"]],
  ])("%s", (_, more, expected) => {
    expect(kinds(more)).toEqual(expected);
  });

  it("says how often the receiver failed, with what, and when it is tried again", () => {
    const attempts: [number, number | null][] = [
      [T + SECOND, 500],
      [T + 20 * SECOND, 500],
      [T + 90 * SECOND, 500],
    ];
    const retried = delivery({ attempts, nextAttemptAt: T + HOUR });
    expect(findings(facts({ changes: [change()], deliveries: [retried] }))).toEqual([
      {
        ...{ kind: "retrying", channel: "chn_1", count: 1, delivery: "whd_1", failures: 3, status: 500, error: null },
        ...{ nextAttemptAt: T + HOUR, finishedAt: null },
      },
    ]);
  });

  it("is not that the receiver failed, once a later webhook that reaches back was accepted", () => {
    const failed = delivery({ state: "failed", finishedAt: T + HOUR, attempts: [[T + SECOND, 500]] });
    const later = (more: Attempted = {}) =>
      delivery({ id: "whd_2", createdAt: T + 2 * HOUR, state: "delivered", finishedAt: T + 3 * HOUR, ...more });
    const reasons = (...deliveries: DeliveryFacts[]) => findings(facts({ changes: [change()], deliveries }));
    expect(reasons(failed, later())).toMatchObject([
      { kind: "delivered", delivery: "whd_2" },
      { kind: "made_up", delivery: "whd_1", failures: 1, finishedAt: T + HOUR, deliveredAt: T + 3 * HOUR },
    ]);
    const unrecorded = findings(facts({ deliveries: [failed, later()] }));
    expect(unrecorded.map(({ kind }) => kind)).toEqual(["delivered", "made_up"]);
    for (const other of [
      later({ changesSince: T + SECOND }),
      later({ channelId: "chn_2" }),
      later({ test: true, changesSince: null }),
      later({ state: "failed" }),
    ]) {
      expect(reasons(failed, other)[0]).toMatchObject({ kind: "failed" });
    }
    const again = later({ id: "whd_3", state: "pending", attempts: [[T + 4 * HOUR, 500]] });
    expect(reasons(failed, later(), again)[0]).toMatchObject({ kind: "retrying" });
  });

  it("names every filter, and the failing channel before the one that was reached", () => {
    const channels = [channel(), channel({ id: "chn_2" }), channel({ id: "chn_3", calendarIds: [] })];
    const deliveries = [
      delivery({ state: "delivered" }),
      delivery({ id: "whd_2", channelId: "chn_2", state: "failed", attempts: [[T + SECOND, null]] }),
    ];
    expect(findings(facts({ changes: [change()], channels, deliveries }))).toMatchObject([
      { kind: "failed", channel: "chn_2", error: "timeout" },
      { kind: "delivered", channel: "chn_1" },
    ]);
    const filtered = [channel({ calendarIds: [] }), channel({ id: "chn_2", onlyManaged: true })];
    expect(findings(facts({ changes: [change()], channels: filtered }))).toEqual([
      { kind: "filtered", by: ["calendar_ids", "only_managed"] },
    ]);
  });
});

describe("the steps", () => {
  it("are in the order of time, with what each channel did, and without deliveries of other times", () => {
    const deliveries = [
      delivery({
        id: "before",
        createdAt: T - HOUR,
        changesSince: T - HOUR,
        attempts: [[T - HOUR, 200]],
        state: "delivered",
      }),
      delivery(),
      delivery({ id: "after", createdAt: T + 2 * HOUR, changesSince: T + 2 * HOUR }),
    ];
    const all = facts({
      ...{ changes: [change()], deliveries, writes: [{ at: T - SECOND, status: 202, isSandbox: false }] },
      channels: [channel(), channel({ id: "chn_2", openedAt: T + 60 * SECOND })],
    });
    expect(timelineSteps(all)).toMatchObject([
      { kind: "write", at: T - SECOND },
      {
        ...{ kind: "change", at: T },
        outcomes: [
          { channel: "chn_1", outcome: { kind: "notified", deliveries: ["whd_1"] } },
          { channel: "chn_2", outcome: { kind: "not_opened" } },
        ],
      },
      { kind: "delivery", at: T + SECOND, delivery: { id: "whd_1" } },
      { kind: "channel_opened", at: T + 60 * SECOND, channel: "chn_2" },
    ]);
  });
});
