import { endpointOf } from "@/server/domain/channels/endpoint";
import { changeOutcome } from "@/server/domain/timeline/change-outcome";
import type { DeliveryFacts } from "@/server/domain/timeline/facts";
import { channelFacts } from "@/server/services/staff/accounts/timeline/read";
import type { StoredTimelineChannel } from "@/server/services/staff/accounts/timeline/timeline.sql";
import { whyRefused } from "@/server/services/staff/accounts/timeline/why-refused";
import type { StoredEvent, StoredEventChange, StoredEventRequest } from "@/server/services/staff/events/events.sql";
import type { ChannelOutcome, EventStep, EventWrite } from "@/server/services/staff/events/shapes";

export interface EventParts {
  event: StoredEvent;
  write: EventWrite | null;
  requests: readonly StoredEventRequest[];
  changes: readonly (StoredEventChange & { at: Date })[];
  channels: readonly StoredTimelineChannel[];
  /** Those that may announce one of the changes, each once, the oldest first. */
  deliveries: readonly DeliveryFacts[];
  /** The deliveries that say that a write was refused. */
  notices: ReadonlySet<string>;
  /** Whether changes wait to be turned into deliveries. */
  isWaiting: boolean;
  now: number;
}

/** Lists what happened to an event, the newest first: requests, changes, writes to the provider, and webhooks. */
export function eventSteps(parts: EventParts): EventStep[] {
  const changes = parts.changes.map((change) => changeStep(parts, change));
  const announcing = new Set(
    changes.flatMap(({ outcomes }) =>
      outcomes.flatMap(({ outcome }) => (outcome.kind === "notified" ? outcome.deliveries.slice(0, 1) : [])),
    ),
  );
  const endpoints = new Map(parts.channels.map(({ id, callbackUrl }) => [id, endpointOf(callbackUrl)]));
  const steps: EventStep[] = [
    ...parts.requests.map(requestStep),
    ...changes,
    ...writeSteps(parts),
    ...parts.deliveries
      .filter(({ id }) => announcing.has(id) || parts.notices.has(id))
      .map((delivery) => ({
        ...{ kind: "delivery" as const, at: delivery.createdAt, delivery },
        endpoint: endpoints.get(delivery.channelId) ?? delivery.channelId,
      })),
  ];
  return steps.sort((one, other) => other.at - one.at || order.indexOf(other.kind) - order.indexOf(one.kind));
}

/** Of what has the same time, what comes first. */
const order: EventStep["kind"][] = ["request", "change", "write", "written", "refused", "reverted", "delivery"];

function requestStep({ at, response, errorKeys, keys: _, ...request }: StoredEventRequest): EventStep {
  const reason = request.status < 400 ? null : whyRefused(response, errorKeys);
  return { kind: "request", at: at.getTime(), request: { ...request, reason } };
}

function changeStep(parts: EventParts, { at, kind, fields, own, occurrenceDate }: EventParts["changes"][number]) {
  const change = { kind: kind ?? ("updated" as const), fields, own: own === true, occurrenceDate };
  const outcomes = own ? [] : outcomesOf(parts, at.getTime());
  return { kind: "change" as const, at: at.getTime(), change, outcomes };
}

/** Returns what the channels did that were there. */
function outcomesOf({ event, channels, deliveries, isWaiting, now }: EventParts, at: number): ChannelOutcome[] {
  const seen = { calendarId: event.calendarId, managed: event.eventId !== null, firstAt: at, lastAt: at };
  return channels
    .map((stored) => {
      const channel = channelFacts(stored);
      const own = deliveries.filter(({ channelId }) => channelId === channel.id);
      const outcome = changeOutcome(seen, { channel, deliveries: own, isWaiting, now });
      return { channel: channel.id, endpoint: endpointOf(stored.callbackUrl), outcome };
    })
    .filter(({ outcome }) => outcome.kind !== "not_opened" && outcome.kind !== "closed");
}

/** Returns what is stored of the writes to the provider: the last one that it accepted, and the one that it does not have. */
function writeSteps({ event, write }: EventParts): EventStep[] {
  const { pushedAt, pushAttempts, writtenAt, refusedAt, revertedAt } = event;
  return [
    ...(pushedAt ? [{ kind: "written" as const, at: pushedAt.getTime(), attempts: pushAttempts }] : []),
    ...(write && writtenAt && !refusedAt ? [{ kind: "write" as const, at: writtenAt.getTime(), write }] : []),
    ...(write && refusedAt ? [{ kind: "refused" as const, at: refusedAt.getTime(), write }] : []),
    ...(write && revertedAt ? [{ kind: "reverted" as const, at: revertedAt.getTime() }] : []),
  ];
}
