import { refusalOf, refused } from "@/server/http/responses";

/** Returns the response of `respond`, or 503 with Retry-After if the database has too much to do for it. */
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
