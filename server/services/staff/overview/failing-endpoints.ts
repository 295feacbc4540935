import type { Query } from "@/server/db/client";
import { endpointOf } from "@/server/domain/channels/endpoint";
import { isRetrying } from "@/server/services/staff/deliveries/rows";
import type { FailingEndpoint, Overview } from "@/server/services/staff/overview/shapes";

const MOST_SHOWN = 10;
const MOST_CHANNELS_NAMED = 20;
/** One failed attempt is a hiccup; the third comes a minute later. */
const FEWEST_FAILURES = 3;
const FAILED_SINCE_MS = 48 * 3_600_000;

/** The endpoints that fail now, those that fail most first. */
export async function failingEndpoints(query: Query, now: number): Promise<Overview["failingEndpoints"]> {
  const channels = await query<TroubledChannel>(troubled, [new Date(now - FAILED_SINCE_MS)]);
  const failing = byEndpoint(channels).filter(isFailing).map(endpointRow);
  const weight = ({ retrying, failed }: FailingEndpoint) => retrying + failed;
  return { items: failing.sort((a, b) => weight(b) - weight(a)).slice(0, MOST_SHOWN), count: failing.length };
}

interface TroubledChannel {
  channelId: string;
  callbackUrl: string;
  applicationId: string;
  applicationName: string;
  retrying: number;
  failed: number;
  attempts: number;
  lastStatus: number | null;
  lastError: string | null;
  failedAt: Date;
  deliveredAt: Date | null;
}

// The newest of both kinds are enough to know who fails: each is read from an index that holds nothing else.
const troubled = `WITH recent AS MATERIALIZED (
  (SELECT d.id, d.channel_id, d.attempts, d.last_status, d.last_error, true AS retrying, d.created_at AS ended_at FROM deliveries d
    WHERE d.state = 'pending' AND ${isRetrying} ORDER BY d.created_at DESC LIMIT 500)
  UNION ALL
  (SELECT d.id, d.channel_id, d.attempts, d.last_status, d.last_error, false, d.finished_at FROM deliveries d
    WHERE d.state IN ('failed', 'cancelled') AND d.state = 'failed' AND d.created_at >= $1 ORDER BY d.created_at DESC, d.id DESC LIMIT 500)),
failures AS (SELECT s.*, coalesce(a.started_at, s.ended_at) AS at FROM recent s
  LEFT JOIN LATERAL (SELECT started_at FROM attempts WHERE delivery_id = s.id ORDER BY number DESC LIMIT 1) a ON true),
those AS (SELECT channel_id, (count(*) FILTER (WHERE retrying))::int AS retrying, (count(*) FILTER (WHERE NOT retrying))::int AS failed,
  sum(attempts)::int AS attempts, max(at) AS failed_at, (array_agg(last_status ORDER BY at DESC))[1] AS last_status,
  (array_agg(last_error ORDER BY at DESC))[1] AS last_error FROM failures GROUP BY channel_id)
SELECT t.channel_id AS "channelId", c.callback_url AS "callbackUrl", p.id AS "applicationId", p.name AS "applicationName", t.retrying, t.failed,
  t.attempts, t.last_status AS "lastStatus", t.last_error AS "lastError", t.failed_at AS "failedAt", s.at AS "deliveredAt"
FROM those t JOIN channels c ON c.id = t.channel_id AND c.closed_at IS NULL JOIN accounts o ON o.id = c.account_id
JOIN applications p ON p.id = o.application_id
CROSS JOIN LATERAL (SELECT max(n.finished_at) FILTER (WHERE n.state = 'delivered') AS at FROM
  (SELECT state, finished_at FROM deliveries WHERE channel_id = t.channel_id ORDER BY created_at DESC LIMIT 10) n) s
ORDER BY t.channel_id`;

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
