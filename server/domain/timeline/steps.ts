import { type ChangeOutcome, changeOutcome } from "@/server/domain/timeline/change-outcome";
import type { DeliveryFacts, OwnWrite, SeenChange, TimelineFacts } from "@/server/domain/timeline/facts";

/** One thing that happened. `at`: when it began, in milliseconds since 1970. */
export type Step<Write extends OwnWrite = OwnWrite> = { at: number } & (
  | { kind: "write"; write: Write }
  | { kind: "change"; change: SeenChange; outcomes: { channel: string; outcome: ChangeOutcome }[] }
  | { kind: "delivery"; delivery: DeliveryFacts }
  | { kind: "channel_opened"; channel: string }
  | { kind: "channel_closed"; channel: string; by: string | null }
  | { kind: "disconnected"; profile: string }
  | { kind: "revoked" }
);

/**
 * Lists what happened to an account at a time, in order: writes, changes and what each channel did with them,
 * deliveries.
 */
export function timelineSteps<Write extends OwnWrite>(
  facts: TimelineFacts & { writes: readonly Write[] },
): Step<Write>[] {
  const { from, to, channels, profiles, revokedAt } = facts;
  const writes: readonly Write[] = facts.writes;
  const isWithin = (at: number | null): at is number => at !== null && at >= from && at <= to;
  const changes = facts.changes.map((change) => ({
    ...{ kind: "change" as const, at: change.firstAt, change },
    outcomes: channels.map((channel) => ({ channel: channel.id, outcome: outcomeIn(facts, channel, change) })),
  }));
  const named = new Set(changes.flatMap(({ outcomes }) => outcomes.flatMap(({ outcome }) => deliveriesOf(outcome))));
  const steps: Step<Write>[] = [
    ...writes.map((write) => ({ kind: "write" as const, at: write.at, write })),
    ...changes,
    ...facts.deliveries
      .filter(({ id, createdAt }) => named.has(id) || isWithin(createdAt))
      .map((delivery) => ({ kind: "delivery" as const, at: delivery.createdAt, delivery })),
    ...channels.flatMap(({ id, openedAt, closedAt, closedBy }) => [
      ...(isWithin(openedAt) ? [{ kind: "channel_opened" as const, at: openedAt, channel: id }] : []),
      ...(isWithin(closedAt) ? [{ kind: "channel_closed" as const, at: closedAt, channel: id, by: closedBy }] : []),
    ]),
    ...profiles.flatMap(({ id, disconnectedAt }) =>
      isWithin(disconnectedAt) ? [{ kind: "disconnected" as const, at: disconnectedAt, profile: id }] : [],
    ),
    ...(isWithin(revokedAt) ? [{ kind: "revoked" as const, at: revokedAt }] : []),
  ];
  return steps.sort((one, other) => one.at - other.at);
}

/** Derives what a channel did with one change. */
export function outcomeIn(
  { deliveries, waiting, now }: TimelineFacts,
  channel: TimelineFacts["channels"][number],
  change: SeenChange,
): ChangeOutcome {
  const own = deliveries.filter(({ channelId }) => channelId === channel.id);
  return changeOutcome(change, { channel, deliveries: own, isWaiting: waiting > 0, now });
}

function deliveriesOf(outcome: ChangeOutcome): string[] {
  if (outcome.kind === "notified") return outcome.deliveries;
  return outcome.kind === "waits_for" ? [outcome.delivery] : [];
}
