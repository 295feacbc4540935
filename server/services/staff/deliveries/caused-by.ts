import type { Query } from "@/server/db/client";
import { run } from "@/server/db/statement";
import { channelsInResponses } from "@/server/services/staff/deliveries/names.sql";
import type { Within } from "@/server/services/staff/procedure/scope";

/**
 * The channels that requests of this id opened: what they caused is their verification, and the log keeps the channel's id of
 * the response. A request id may be the caller's own and come twice.
 */
export async function channelsOpenedBy(query: Query, requestId: string, within: Within): Promise<string[]> {
  const rows = await run(query, channelsInResponses, [requestId, within]);
  return rows.flatMap(({ id }) => id ?? []);
}
