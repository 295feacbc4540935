import { earliestNotified } from "@/server/domain/channels/notification";
import type { Instant } from "@/server/domain/time/instant";
import type { ChannelFacts, DeliveryFacts, SeenChange } from "@/server/domain/timeline/facts";

/** A change becomes a delivery within a second or two, and certainly within this time. */
const HANDLED_WITHIN_MS = 10_000;

/** The result of a change in a channel. */
export type ChangeOutcome =
  | { kind: "not_opened" }
  | { kind: "closed" }
  | { kind: "filtered"; by: "calendar_ids" | "only_managed" }
  | {
      kind: "notified";
      /** `joined`: one that was not attempted yet. `waited`: created after the end of one that was being retried. */
      how: "new" | "joined" | "waited";
      /** The first one announces the change. Others repeat it, because one before them failed. */
      deliveries: string[];
    }
  /** This delivery announces the change once it has ended. */
  | { kind: "waits_for"; delivery: string }
  | { kind: "waiting" }
  | { kind: "unexplained" };

interface ChannelState {
  channel: ChannelFacts;
  /** The channel's deliveries, the oldest first. */
  deliveries: readonly DeliveryFacts[];
  /** The account's changes wait to be turned into deliveries. */
  isWaiting: boolean;
  now: number;
}

/**
 * Derives what a channel did with a change from what is stored: a change belongs to each notification that reaches back
 * to it and was created after it, or was not attempted before it ("Events", 2 and 6).
 */
export function changeOutcome(
  change: SeenChange,
  { channel, deliveries, isWaiting, now }: ChannelState,
): ChangeOutcome {
  const changes = deliveries.filter(
    ({ type, test, changesSince }) => type === "change" && !test && changesSince !== null,
  );
  if (!isLetThrough(change, { ...channel, onlyManaged: null })) return { kind: "filtered", by: "calendar_ids" };
  if (!isLetThrough(change, channel)) return { kind: "filtered", by: "only_managed" };
  const announcing = changes.filter((one) => announces(one, change));
  const [first] = announcing;
  if (first)
    return { kind: "notified", how: howOf(first, change, changes), deliveries: announcing.map(({ id }) => id) };
  const pending = changes.find((one) => one.state === "pending" && one.isJoined && isRetriedAt(one, change.firstAt));
  if (pending) return { kind: "waits_for", delivery: pending.id };
  if (channel.openedAt > change.lastAt) return { kind: "not_opened" };
  if (channel.closedAt !== null && channel.closedAt <= change.lastAt + HANDLED_WITHIN_MS) return { kind: "closed" };
  if (isWaiting || now - change.lastAt < HANDLED_WITHIN_MS) return { kind: "waiting" };
  return { kind: "unexplained" };
}

function isLetThrough({ calendarId, managed, firstAt }: SeenChange, channel: ChannelFacts): boolean {
  return earliestNotified([{ calendarId, managed, at: firstAt as Instant }], channel) !== null;
}

function announces({ changesSince, createdAt, attempts }: DeliveryFacts, { firstAt, lastAt }: SeenChange): boolean {
  if (changesSince === null || changesSince > lastAt) return false;
  const firstAttemptAt = attempts[0]?.startedAt ?? Number.POSITIVE_INFINITY;
  return createdAt >= firstAt || firstAttemptAt > firstAt;
}

function howOf(first: DeliveryFacts, { firstAt }: SeenChange, deliveries: readonly DeliveryFacts[]) {
  if (first.createdAt < firstAt) return "joined";
  const hasWaited = deliveries.some(
    (one) => one.id !== first.id && isRetriedAt(one, firstAt) && (one.finishedAt ?? 0) <= first.createdAt,
  );
  return hasWaited ? "waited" : "new";
}

/** Reports whether a delivery had been attempted by then, and had not ended. */
function isRetriedAt({ attempts, finishedAt }: DeliveryFacts, at: number): boolean {
  const [first] = attempts;
  return first !== undefined && first.startedAt <= at && (finishedAt === null || finishedAt >= at);
}
