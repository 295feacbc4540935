import { endpointPath, timelinePath, WHY } from "@/components/dashboard/address/paths";
import { Endpoint } from "@/components/dashboard/deliveries/endpoint";
import { TestEvent } from "@/components/dashboard/deliveries/test-event";
import { closedWords } from "@/components/dashboard/deliveries/words";
import { DetailLink } from "@/components/dashboard/panel/detail-link";
import { Id } from "@/components/ui/id";
import { formatDuration, formatShare } from "@/components/ui/number";
import { State } from "@/components/ui/state";
import { Time } from "@/components/ui/time";
import { endpointOf } from "@/server/domain/channels/endpoint";
import type { ChannelHealth } from "@/server/services/staff/channels/shapes";

/** Shows the health of the channel whose deliveries are listed. */
export function ChannelStrip({ channel, now }: { channel: ChannelHealth; now: number }) {
  return (
    <section
      aria-label="Channel health"
      className="flex flex-wrap items-center gap-x-6 gap-y-1 border-t px-6 py-2.5 text-13 max-sm:px-4"
    >
      <Id id={channel.id} />
      <DetailLink href={endpointPath(channel.id)}>Open</DetailLink>
      {channel.closedAt ? (
        <State tone="off">
          Closed <Time at={channel.closedAt} now={now} />
          {closedWords(channel.closedBy)}
        </State>
      ) : (
        <State tone={channel.pausedAt || channel.consecutiveFailures > 0 ? "wait" : "good"}>
          {channel.pausedAt ? "Paused" : "Open"}
        </State>
      )}
      <Endpoint endpoint={endpointOf(channel.callbackUrl)} isWhole />
      <Figure name="Success rate, 24 h">{formatShare(channel.successRate24h)}</Figure>
      <Figure name="p50">{formatDuration(channel.p50Ms)}</Figure>
      <Figure name="p95">{formatDuration(channel.p95Ms)}</Figure>
      <Figure name="Consecutive failures">{channel.consecutiveFailures}</Figure>
      {channel.oldestPendingAt && (
        <Figure name="Oldest pending">
          <Time at={channel.oldestPendingAt} now={now} />
        </Figure>
      )}
      <span className="ml-auto flex flex-wrap items-center gap-x-4 gap-y-1">
        <DetailLink href={timelinePath(channel.accountId)}>{WHY}</DetailLink>
        {channel.closedAt === null && <TestEvent channelId={channel.id} />}
      </span>
    </section>
  );
}

function Figure({ name, children }: { name: string; children: React.ReactNode }) {
  return (
    <span className="tnum whitespace-nowrap">
      <span className="text-faint">{name} </span>
      {children}
    </span>
  );
}
