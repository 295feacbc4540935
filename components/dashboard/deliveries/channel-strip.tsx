import { Id } from "@/components/ui/id";
import { formatDuration, formatShare } from "@/components/ui/number";
import { State } from "@/components/ui/state";
import { Time } from "@/components/ui/time";
import type { ChannelHealth } from "@/server/services/staff/channels/shapes";

const closers: Record<string, string> = {
  delete: "by the application",
  revoke: "with its account",
  gone: "by a 410 from its receiver",
};

/** How the channel does whose deliveries are listed. */
export function ChannelStrip({ channel, now }: { channel: ChannelHealth; now: number }) {
  return (
    <section
      aria-label="The channel"
      className="flex flex-wrap items-center gap-x-6 gap-y-1 border-t px-6 py-2.5 text-13 max-sm:px-4"
    >
      <Id id={channel.id} />
      {channel.closedAt ? (
        <State tone="off">
          Closed {closers[channel.closedBy ?? ""] ?? ""} <Time at={channel.closedAt} now={now} />
        </State>
      ) : (
        <State tone={channel.consecutiveFailures > 0 ? "wait" : "good"}>Open</State>
      )}
      <span className="font-mono text-12 wrap-anywhere">{channel.callbackUrl}</span>
      <Figure name="Accepted, 24 h">{formatShare(channel.successRate24h)}</Figure>
      <Figure name="p50">{formatDuration(channel.p50Ms)}</Figure>
      <Figure name="p95">{formatDuration(channel.p95Ms)}</Figure>
      <Figure name="Failures in a row">{channel.consecutiveFailures}</Figure>
      {channel.oldestPendingAt && (
        <Figure name="Oldest pending">
          <Time at={channel.oldestPendingAt} now={now} />
        </Figure>
      )}
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
