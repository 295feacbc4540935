"use client";

import { staffClient } from "@/components/dashboard/staff-client";
import { useAction } from "@/components/dashboard/use-action";
import { Button } from "@/components/ui/button";
import { Fault } from "@/components/ui/fault";
import { aboutDuration, formatCount } from "@/components/ui/number";
import { retryTime } from "@/server/domain/channels/retry-time";
import type { EndpointDetail } from "@/server/services/staff/endpoints/shapes";

/** Sends at once whatever waits for its next attempt at a failing endpoint. */
export function RetryWaiting({ endpoint }: { endpoint: EndpointDetail }) {
  const action = useAction();
  const { id: channel, applicationId: application, waiting, p50Ms, lastFailure } = endpoint;
  const what = `${formatCount(waiting.count)} waiting`;
  const input = { filters: { channel, application, state: ["pending" as const] }, count: waiting.count };
  const begin = () => staffClient.deliveries.replays.start.mutate(input);
  const ms = retryTime({
    count: waiting.count,
    responseMs: p50Ms,
    isResponding: typeof lastFailure?.status === "number",
  });
  return (
    <>
      <Button
        look="primary"
        disabled={action.isBusy}
        reason={waiting.more ? `Over ${formatCount(waiting.count)} wait. Use “Retry since…”.` : undefined}
        onClick={() => action.run(begin, `Retrying ${what}`)}
      >
        {action.isBusy ? "Starting…" : `Retry ${what} now`}
      </Button>
      {ms !== null && !waiting.more && <span className="self-center text-12 text-faint">{aboutDuration(ms)}</span>}
      <Fault>{action.fault}</Fault>
    </>
  );
}
