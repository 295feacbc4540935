import { EgressFailure } from "@/server/egress/failure";
import { egressFetch } from "@/server/egress/fetch";
import { env } from "@/server/env";
import { type Finding, fail, ok } from "@/server/front-door/doctor/report";

const WITHIN_MS = 5_000;
const MOST_BYTES = 65_536;

/** Checks that the Inngest server can be reached. Whether its runs come back is in the database. */
export async function inngestServer(): Promise<Finding[]> {
  const { INNGEST_BASE_URL } = env();
  if (INNGEST_BASE_URL === undefined)
    return [ok("inngest server", "Not set up: workers run everything in the background themselves.")];
  const limits = { trustedOrigins: [INNGEST_BASE_URL], deadlineMs: WITHIN_MS, mostBytes: MOST_BYTES };
  try {
    await egressFetch(limits)(`${INNGEST_BASE_URL}/health`, { method: "GET", headers: {} });
    return [ok("inngest server", `Responds at ${INNGEST_BASE_URL}`)];
  } catch (error) {
    if (!(error instanceof EgressFailure)) throw error;
    const advice = "Start it, or correct INNGEST_BASE_URL. Until then workers run everything themselves.";
    return [fail("inngest server", `Can't be reached at ${INNGEST_BASE_URL} (${error.errorClass}). ${advice}`)];
  }
}
