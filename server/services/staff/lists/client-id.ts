import type { Query } from "@/server/db/client";
import { run } from "@/server/db/statement";
import { applicationByClientId } from "@/server/services/staff/lists/client-id.sql";
import type { Meaning } from "@/server/services/staff/lists/meaning";
import type { VisibleApplications } from "@/server/services/staff/procedure/scope";

/**
 * Loads the application whose complete client ID was typed: it precedes everything that begins so, and follows a
 * complete ID of ours. Undefined: there is none.
 */
export async function applicationWithClientId(
  query: Query,
  { text, isWholeId }: Meaning,
  within: VisibleApplications,
): Promise<string | undefined> {
  if (isWholeId) return undefined;
  const [application] = await run(query, applicationByClientId, [text, within]);
  return application?.id;
}
