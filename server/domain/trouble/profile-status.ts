import { type Provider, providerTraits } from "@/server/domain/providers";
import type { Instant } from "@/server/domain/time/instant";
import { isDelegationReason, type Reason, reasonOf } from "@/server/domain/trouble/reasons";

export const profileStates = ["connected", "disconnected", "delayed"] as const;
export type ProfileState = (typeof profileStates)[number];

/** Whether a provider notifies us of changes: of all calendars, of some, of none now, or never. */
export const pushStates = ["live", "partial", "off", "unsupported"] as const;
export type PushState = (typeof pushStates)[number];

/** From so many failed reads in a row on a profile is delayed: one is a hiccup. */
export const FEWEST_FAILURES = 2;

export interface ProfileFacts {
  connected: boolean;
  createdAt: Instant;
  disconnectedAt: Instant | null;
  initialSyncRequired: boolean;
  /** When it was last read, calendars that could not be read aside. */
  lastSyncAt: Instant | null;
  /** The earliest last read of a calendar that can't be read any more. Null: all can, or such a calendar never was. */
  unreadSince: Instant | null;
  /** How many reads in a row have failed, without one in progress. */
  failures: number;
  /** The error of the last read, as stored. */
  error: string | null;
  /** Since when a read is overdue. */
  overdueSince: Instant | null;
  /** The provider wants no requests now. */
  isThrottled: boolean;
}

export interface ProfileStatus {
  state: ProfileState;
  /** Null: all is well. */
  reason: Reason | null;
  since: Instant | null;
  lastReadAt: Instant | null;
}

/** Returns the state of a profile, why it is in it and since when. */
export function profileStatus(facts: ProfileFacts): ProfileStatus {
  const lastReadAt = earlier(facts.lastSyncAt, facts.unreadSince);
  return { ...stateOf(facts, lastReadAt ?? facts.createdAt), lastReadAt };
}

function stateOf(facts: ProfileFacts, readUntil: Instant): Omit<ProfileStatus, "lastReadAt"> {
  const { error } = facts;
  if (!facts.connected) {
    return {
      state: "disconnected",
      reason: isDelegationReason(error) ? error : "credentials_rejected",
      since: facts.disconnectedAt,
    };
  }
  if (facts.failures >= FEWEST_FAILURES) {
    const reason = error === null ? "interrupted" : (reasonOf(error) ?? "internal");
    return { state: "delayed", reason, since: readUntil };
  }
  if (facts.overdueSince !== null) {
    const reason = facts.isThrottled ? "throttled" : "overdue";
    return { state: "delayed", reason, since: facts.overdueSince };
  }
  if (facts.initialSyncRequired) return { state: "connected", reason: "initial_sync", since: facts.createdAt };
  return { state: "connected", reason: null, since: null };
}

function earlier(one: Instant | null, other: Instant | null): Instant | null {
  return one !== null && other !== null ? (Math.min(one, other) as Instant) : (one ?? other);
}

/**
 * Returns whether a provider notifies us of changes. `live`: how many of its watches are; `missing`: how many calendars
 * have none though the provider has not said that it watches nothing of the kind. An application calendar's changes are
 * known as they are made.
 */
export function pushState(provider: Provider, { live, missing }: { live: number; missing: number }): PushState {
  if (provider === "hosted") return "live";
  if (providerTraits[provider].watchedPollMs === null) return "unsupported";
  if (live === 0) return "off";
  return missing === 0 ? "live" : "partial";
}
