import { serve } from "inngest/edge";
import { type Drive, drive, SERVE_PATH, serveOrigin } from "@/server/jobs/client";
import { alerting } from "@/server/jobs/functions/alerts";
import { bulkRetries } from "@/server/jobs/functions/bulk-retry";
import { choreFunctions } from "@/server/jobs/functions/chores";
import { drains } from "@/server/jobs/functions/drain";
import { roundTrip } from "@/server/jobs/functions/round-trip";
import { sweepEveryMinute } from "@/server/jobs/functions/sweep";

export interface Background extends Drive {
  /** The SDK's handler: accepts calls with a valid signature. */
  handler(request: Request): Promise<Response>;
}

let made: Background | undefined;

/** Every function of the service, and what serves them. One for each module graph: they hold nothing. */
export function background(): Background {
  made ??= open();
  return made;
}

function open(): Background {
  const driven = drive();
  const { client } = driven;
  const functions = [
    ...drains(client),
    sweepEveryMinute(client),
    ...choreFunctions(client),
    roundTrip(client),
    alerting(client),
    ...bulkRetries(client),
  ];
  const handler = serve({ client, functions, servePath: SERVE_PATH, serveOrigin: serveOrigin() });
  return { ...driven, handler };
}
