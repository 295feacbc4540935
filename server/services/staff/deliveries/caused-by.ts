import type { Query } from "@/server/db/client";

/**
 * The channels that requests of this id opened: what they caused is their verification, and the log keeps the channel's id of
 * the answer. A request id may be the caller's own and come twice.
 */
export async function channelsOpenedBy(query: Query, requestId: string): Promise<string[]> {
  const rows = await query<{ id: string | null }>(
    `SELECT coalesce(response_body -> 'channel', response_body -> 'body' -> 'channel') ->> 'channel_id' AS id FROM request_logs
WHERE request_id = $1 AND method = 'POST' AND path = '/v1/channels' AND status = 200`,
    [requestId],
  );
  return rows.flatMap(({ id }) => id ?? []);
}
