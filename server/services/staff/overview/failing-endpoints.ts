import type { Query } from "@/server/db/client";
import { run } from "@/server/db/statement";
import { endpointOf } from "@/server/domain/channels/endpoint";
import { cappedCount } from "@/server/services/staff/lists/paging";
import {
  type FailingChannel,
  failingChannels,
  type LastSuccess,
  lastSuccesses,
} from "@/server/services/staff/overview/failing.sql";
import type { FailingEndpoint, Overview } from "@/server/services/staff/overview/shapes";
import type { VisibleApplications } from "@/server/services/staff/procedure/scope";
import { lastHours } from "@/server/store/deliveries/days";

const MOST_SHOWN = 10;
/** Of how many channels of a group the last success is looked for, those with the most failures first. */
const MOST_OF_GROUP = 20;
/** How many hours back the last success is looked for. */
const HOURS = 7 * 24;

/**
 * Lists the failing channels, grouped by application and URL, by the same rule as the list of endpoints; the largest
 * groups first.
 */
export async function failingEndpoints(
  query: Query,
  now: number,
  within: VisibleApplications,
): Promise<Overview["failingEndpoints"]> {
  const channels = await run(query, failingChannels, [within]);
  const groups = byEndpoint(channels).sort(
    (a, b) => b.length - a.length || worstChannel(b).failures - worstChannel(a).failures,
  );
  const shown = groups.slice(0, MOST_SHOWN);
  const { from, before } = lastHours(now, HOURS);
  const ids = shown.flatMap((group) =>
    group
      .toSorted((a, b) => b.failures - a.failures)
      .slice(0, MOST_OF_GROUP)
      .map(({ id }) => id),
  );
  const successes = shown.length === 0 ? [] : await run(query, lastSuccesses, [ids, from, before]);
  return {
    items: shown.map((group) => endpointRow(group, successes)),
    groups: groups.length,
    ...cappedCount(channels.length),
  };
}

type Group = readonly [FailingChannel, ...FailingChannel[]];

function byEndpoint(channels: readonly FailingChannel[]): Group[] {
  const groups = new Map<string, [FailingChannel, ...FailingChannel[]]>();
  for (const channel of channels) {
    const key = `${channel.applicationId} ${endpointOf(channel.callbackUrl)}`;
    const group = groups.get(key);
    if (group) group.push(channel);
    else groups.set(key, [channel]);
  }
  return [...groups.values()];
}

/** Returns the channel with the most failures in a row, which represents its group. */
function worstChannel(channels: Group): FailingChannel {
  return channels.reduce((one, other) => (other.failures > one.failures ? other : one));
}

function endpointRow(channels: Group, successes: readonly LastSuccess[]): FailingEndpoint {
  const { id, callbackUrl, applicationId, applicationName, failures, failedStatus, failedError } =
    worstChannel(channels);
  return {
    endpoint: endpointOf(callbackUrl),
    applicationId,
    applicationName,
    channelId: id,
    channels: channels.length,
    consecutiveFailures: failures,
    lastStatus: failedStatus,
    lastError: failedError,
    failingSince: new Date(Math.min(...channels.map(({ failingSince }) => failingSince.getTime()))).toISOString(),
    lastSuccessAt: lastOf(successes.filter(({ channelId }) => channels.some((one) => one.id === channelId))),
  };
}

function lastOf(successes: readonly LastSuccess[]): string | null {
  if (successes.length === 0) return null;
  return new Date(Math.max(...successes.map(({ at }) => at.getTime()))).toISOString();
}
