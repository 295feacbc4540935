import type { Inngest } from "inngest";
import { serve } from "inngest/edge";
import { env } from "@/server/env";
import { inngestClient, SERVE_PATH, serveOrigin } from "@/server/jobs/client";
import { alerts } from "@/server/jobs/functions/alerts";
import { bulkRetryFunctions } from "@/server/jobs/functions/bulk-retry";
import { choreFunctions } from "@/server/jobs/functions/chores";
import { continueBulkRetries } from "@/server/jobs/functions/continue-bulk-retries";
import { deliverWebhooks } from "@/server/jobs/functions/deliver-webhooks";
import { fanOutChanges } from "@/server/jobs/functions/fan-out-changes";
import { openMailboxes } from "@/server/jobs/functions/open-mailboxes";
import { pollMailboxes } from "@/server/jobs/functions/poll-mailboxes";
import { roundTrip } from "@/server/jobs/functions/round-trip";
import { sweepFunction } from "@/server/jobs/functions/sweep";
import { syncMailbox } from "@/server/jobs/functions/sync-mailbox";
import { writeEvents } from "@/server/jobs/functions/write-events";
import { declareTo, type JobFunction } from "@/server/jobs/job-function";

/** Every function of the service. They hold no state. */
export const functions: readonly JobFunction[] = [
  fanOutChanges,
  deliverWebhooks,
  pollMailboxes,
  syncMailbox,
  writeEvents,
  continueBulkRetries,
  openMailboxes,
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
