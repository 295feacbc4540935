import { serve } from "inngest/edge";
import { env } from "@/server/env";
import { type Drive, drive, SERVE_PATH } from "@/server/jobs/client";
import { daily } from "@/server/jobs/functions/daily";
import { deliver } from "@/server/jobs/functions/deliver";
import { hourly } from "@/server/jobs/functions/hourly";
import { notify } from "@/server/jobs/functions/notify";
import { push } from "@/server/jobs/functions/push";
import { replay } from "@/server/jobs/functions/replay";
import { sweepEveryMinute } from "@/server/jobs/functions/sweep";
import { sync } from "@/server/jobs/functions/sync";

export interface Background extends Drive {
  /** The SDK's own door: answers calls that bear the right signature. */
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
  const functions = [deliver, notify, sync, push, replay, sweepEveryMinute, hourly, daily].map((make) =>
    make(driven.client),
  );
  const handler = serve({ client: driven.client, functions, servePath: SERVE_PATH, serveOrigin: env().BASE_URL });
  return { ...driven, handler };
}
