import type { Query } from "@/server/db/client";
import { lastHours } from "@/server/db/delivery-days";
import { run } from "@/server/db/statement";
import { endpointOf } from "@/server/domain/channels/endpoint";
import { counted } from "@/server/services/staff/lists/paging";
import {
  type FailingChannel,
  failingChannels,
  type LastSuccess,
  lastSuccesses,
} from "@/server/services/staff/overview/failing.sql";
import type { FailingEndpoint, Overview } from "@/server/services/staff/overview/shapes";
import type { Within } from "@/server/services/staff/procedure/scope";

const MOST_SHOWN = 10;
/** So far back a success is looked for. */
const HOURS = 7 * 24;

/** The channels that fail now as the list of endpoints has them, those of one application at one URL together; the most first. */
export async function failingEndpoints(
  query: Query,
  now: number,
  within: Within,
): Promise<Overview["failingEndpoints"]> {
  const channels = await run(query, failingChannels, [within]);
  const groups = byEndpoint(channels).sort((a, b) => b.length - a.length || most(b).failures - most(a).failures);
  const shown = groups.slice(0, MOST_SHOWN);
  const { from, before } = lastHours(now, HOURS);
  const ids = shown.map((group) => most(group).id);
  const successes = shown.length === 0 ? [] : await run(query, lastSuccesses, [ids, from, before]);
  return {
    items: shown.map((group) => endpointRow(group, successes)),
    groups: groups.length,
    ...counted(channels.length),
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

/** The one with the most failures in a row stands for its group. */
function most(channels: Group): FailingChannel {
  return channels.reduce((one, other) => (other.failures > one.failures ? other : one));
}

function endpointRow(channels: Group, successes: readonly LastSuccess[]): FailingEndpoint {
  const { id, callbackUrl, applicationId, applicationName, failures, failedStatus, failedError } = most(channels);
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
    lastSuccessAt: successes.find(({ channelId }) => channelId === id)?.at.toISOString() ?? null,
  };
}
