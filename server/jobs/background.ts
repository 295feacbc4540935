import type { Inngest } from "inngest";
import { serve } from "inngest/edge";
import { env } from "@/server/env";
import { inngestClient, SERVE_PATH, serveOrigin } from "@/server/jobs/client";
import { alerts } from "@/server/jobs/functions/alerts";
import { bulkRetryFunctions } from "@/server/jobs/functions/bulk-retry";
import { choreFunctions } from "@/server/jobs/functions/chores";
import { roundTrip } from "@/server/jobs/functions/round-trip";
import { drainFunctions, sweepFunction } from "@/server/jobs/functions/work";
import { declareTo, type JobFunction } from "@/server/jobs/job-function";

/** Every function of the service. They hold no state. */
export const functions: readonly JobFunction[] = [
  ...drainFunctions,
  sweepFunction,
  ...choreFunctions,
  roundTrip,
  alerts,
  ...bulkRetryFunctions,
];

/** The Inngest server that runs the functions. */
export interface InngestServer {
  client: Inngest;
  /** Serves calls with a valid signature, by the SDK. */
  handler(request: Request): Promise<Response>;
}

let opened: (InngestServer & { key: string }) | undefined;

/** Returns the Inngest server that is configured; null: the engine of this process runs the functions. */
export function inngestServer(): InngestServer | null {
  const { INNGEST_EVENT_KEY, INNGEST_SIGNING_KEY } = env();
  const key = `${INNGEST_EVENT_KEY} ${INNGEST_SIGNING_KEY}`;
  if (opened?.key === key) return opened;
  const client = inngestClient();
  if (!client) return null;
  const declared = functions.map((one) => declareTo(client, one));
  const handler = serve({ client, functions: declared, servePath: SERVE_PATH, serveOrigin: serveOrigin() });
  opened = { key, client, handler };
  return opened;
}
