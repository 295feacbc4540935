import type { Query } from "@/server/db/client";
import { run } from "@/server/db/statement";
import { endpointOf } from "@/server/domain/channels/endpoint";
import { type TroubledChannel, troubledChannels } from "@/server/services/staff/overview/overview.sql";
import type { FailingEndpoint, Overview } from "@/server/services/staff/overview/shapes";

const MOST_SHOWN = 10;
const MOST_CHANNELS_NAMED = 20;
/** One failed attempt is a hiccup; the third comes a minute later. */
const FEWEST_FAILURES = 3;
const FAILED_SINCE_MS = 48 * 3_600_000;

/** The endpoints that fail now, those that fail most first. */
export async function failingEndpoints(query: Query, now: number): Promise<Overview["failingEndpoints"]> {
  const channels = await run(query, troubledChannels, [new Date(now - FAILED_SINCE_MS)]);
  const failing = byEndpoint(channels).filter(isFailing).map(endpointRow);
  const weight = ({ retrying, failed }: FailingEndpoint) => retrying + failed;
  return { items: failing.sort((a, b) => weight(b) - weight(a)).slice(0, MOST_SHOWN), count: failing.length };
}

function byEndpoint(channels: readonly TroubledChannel[]): TroubledChannel[][] {
  const groups = new Map<string, TroubledChannel[]>();
  for (const channel of channels) {
    const key = `${channel.applicationId} ${endpointOf(channel.callbackUrl)}`;
    const group = groups.get(key);
    if (group) group.push(channel);
    else groups.set(key, [channel]);
  }
  return [...groups.values()];
}

function isFailing(channels: readonly TroubledChannel[]): boolean {
  const failures = sum(channels, "attempts");
  return failures >= FEWEST_FAILURES && newest(channels, "failedAt") > newest(channels, "deliveredAt");
}

function endpointRow(channels: readonly TroubledChannel[]): FailingEndpoint {
  const failedAt = newest(channels, "failedAt");
  const deliveredAt = newest(channels, "deliveredAt");
  const last = channels.find((channel) => channel.failedAt.getTime() === failedAt) ?? channels[0];
  return {
    endpoint: endpointOf(last?.callbackUrl ?? ""),
    applicationId: last?.applicationId ?? "",
    applicationName: last?.applicationName ?? "",
    channelIds: channels.map(({ channelId }) => channelId).slice(0, MOST_CHANNELS_NAMED),
    retrying: sum(channels, "retrying"),
    failed: sum(channels, "failed"),
    lastStatus: last?.lastStatus ?? null,
    lastError: last?.lastError ?? null,
    failingSince: new Date(Math.max(oldest(channels), deliveredAt)).toISOString(),
    lastFailureAt: new Date(failedAt).toISOString(),
    lastSuccessAt: deliveredAt === 0 ? null : new Date(deliveredAt).toISOString(),
  };
}

function sum(channels: readonly TroubledChannel[], field: "attempts" | "retrying" | "failed"): number {
  return channels.reduce((total, channel) => total + channel[field], 0);
}

/** Milliseconds since 1970; 0: never. */
function newest(channels: readonly TroubledChannel[], field: "failedAt" | "deliveredAt"): number {
  return Math.max(0, ...channels.map((channel) => channel[field]?.getTime() ?? 0));
}

function oldest(channels: readonly TroubledChannel[]): number {
  return Math.min(...channels.map(({ failingSince }) => failingSince.getTime()));
}
