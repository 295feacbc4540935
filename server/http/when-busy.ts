import { refusalOf, refused } from "@/server/http/responses";

/** What `respond` gives; 503 with Retry-After where the database has too much to do for it. */
export async function whenBusy(respond: () => Promise<Response>): Promise<Response> {
  try {
    return await respond();
  } catch (error) {
    const reason = refusalOf(error);
    if (reason?.kind !== "overloaded") throw error;
    const { status, headers } = refused(reason, { compatibilityMode: false });
    return new Response(null, { status, headers: { ...headers, "cache-control": "no-store" } });
  }
}
