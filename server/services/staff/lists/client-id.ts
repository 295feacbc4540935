import type { Query } from "@/server/db/client";
import { run } from "@/server/db/statement";
import { applicationByClientId } from "@/server/services/staff/lists/client-id.sql";
import type { Within } from "@/server/services/staff/procedure/scope";

/** The application whose client id was typed, whole: it comes before all that begins so. Undefined: there is none. */
export async function applicationWithClientId(
  query: Query,
  typed: string,
  within: Within,
): Promise<string | undefined> {
  const [application] = await run(query, applicationByClientId, [typed, within]);
  return application?.id;
}
