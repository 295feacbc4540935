import { describe, expect, it } from "vitest";
import type { Instant } from "@/server/domain/time/instant";
import { type ProfileFacts, profileStatus, pushState } from "@/server/domain/trouble/profile-status";
import { reasonOf, reasonSentence, reasons } from "@/server/domain/trouble/reasons";

const at = (minutes: number) => (minutes * 60_000) as Instant;
const well: ProfileFacts = {
  ...{ connected: true, createdAt: at(0), disconnectedAt: null, initialSyncRequired: false, lastSyncAt: at(50) },
  ...{ unreadSince: null, failures: 0, error: null, overdueSince: null, isThrottled: false },
};
const of = (facts: Partial<ProfileFacts>) => profileStatus({ ...well, ...facts });

describe("a profile's status", () => {
  it("is connected without a reason where all is well, also after one failed read", () => {
    const fine = { state: "connected", reason: null, since: null, lastReadAt: at(50) };
    expect(of({})).toEqual(fine);
    expect(of({ failures: 1, error: "down" })).toEqual(fine);
  });

  it("is delayed after two failed reads in a row, since the last one that succeeded", () => {
    expect(of({ failures: 2, error: "down" })).toEqual({
      ...{ state: "delayed", reason: "down", since: at(50), lastReadAt: at(50) },
    });
  });

  it("is delayed since the connection where no read has succeeded yet", () => {
    const never = of({ failures: 2, error: "misconfigured", lastSyncAt: null, initialSyncRequired: true });
    expect(never).toEqual({ state: "delayed", reason: "misconfigured", since: at(0), lastReadAt: null });
  });

  it("is delayed since a calendar could not be read, though the others were", () => {
    const partly = of({ failures: 2, error: "calendar_failed", unreadSince: at(20) });
    expect(partly).toMatchObject({ state: "delayed", reason: "calendar_failed", since: at(20), lastReadAt: at(20) });
  });

  it.each([
    [null, "interrupted"],
    ["refused", "calendar_refused"],
    ["of another version", "internal"],
  ])("gives the reason of the error %s as %s", (error, reason) => {
    expect(of({ failures: 2, error })).toMatchObject({ state: "delayed", reason });
  });

  it("is delayed where a read is overdue, and says if the provider wants none", () => {
    expect(of({ overdueSince: at(55) })).toMatchObject({ state: "delayed", reason: "overdue", since: at(55) });
    expect(of({ overdueSince: at(55), isThrottled: true })).toMatchObject({ reason: "throttled", since: at(55) });
    expect(of({ isThrottled: true })).toMatchObject({ state: "connected", reason: null });
  });

  it("names the first sync while it runs, and is connected", () => {
    const running = of({ initialSyncRequired: true, lastSyncAt: null });
    expect(running).toEqual({ state: "connected", reason: "initial_sync", since: at(0), lastReadAt: null });
  });

  it("is disconnected before anything else", () => {
    const all = { failures: 5, error: "down", overdueSince: at(1), initialSyncRequired: true };
    expect(of({ ...all, connected: false, disconnectedAt: at(40) })).toMatchObject({
      ...{ state: "disconnected", reason: "credentials_rejected", since: at(40) },
    });
  });
});

it.each([
  ["google", 3, 0, "live"],
  ["google", 2, 1, "partial"],
  ["microsoft", 0, 3, "off"],
  ["caldav", 0, 3, "unsupported"],
  ["hosted", 0, 1, "live"],
] as const)("pushes of %s with %i live watches and %i missing are %s", (provider, live, missing, state) => {
  expect(pushState(provider, { live, missing })).toBe(state);
});

describe("reasons", () => {
  it("have a sentence each, which is no other's", () => {
    const all = reasons.map((reason) => reasonSentence(reason, "Google", "sign-in"));
    expect(all.filter((sentence) => !/^[A-Z].*\.$/.test(sentence))).toEqual([]);
    expect(new Set(all).size).toBe(reasons.length);
  });

  it("are found by what is stored, and by nothing else", () => {
    expect(reasonOf("http_400_ErrorOccurrenceTimeSpanTooBig")).toBe("occurrences_overlap");
    expect(["http_403", "toString", ""].map(reasonOf)).toEqual([null, null, null]);
  });
});
