"use client";

import { Tooltip } from "radix-ui";
import { useSyncExternalStore } from "react";
import { localTime } from "@/components/ui/local-time";
import { relativeTime, utcTime } from "@/components/ui/relative-time";
import { useTimes } from "@/components/ui/times";
import { tooltipLook, tooltipPlace } from "@/components/ui/tooltip";
import { clock } from "@/server/clock";

const TICK_MS = 10_000;

interface TimeProps {
  /** ISO, UTC. */
  at: string;
  /** The server's time in milliseconds, from which both server and browser compute the first rendering. */
  now: number;
}

/** Shows a relative time that stays current. A pointer over it shows it in the reader's zone and in UTC. */
export function Time({ at, now }: TimeProps) {
  const shownAt = useSyncExternalStore(subscribe, current, () => now);
  return <TimeWithTooltip at={at}>{relativeTime(Date.parse(at), Math.max(shownAt, now))}</TimeWithTooltip>;
}

/** Shows a full time, for panels, in the chosen zone, and how long ago it was. */
export function FullTime({ at, now }: TimeProps) {
  const { zone } = useTimes();
  return (
    <span>
      <TimeWithTooltip at={at}>{localTime(at, zone)}</TimeWithTooltip> <span className="text-faint">· </span>
      <span className="text-faint">
        <Time at={at} now={now} />
      </span>
    </span>
  );
}

/**
 * Shows a time with its tooltip. A browser may have another short name for the zone than the server, which must not
 * cause a hydration error.
 */
function TimeWithTooltip({ at, children }: { at: string; children: string }) {
  return (
    <Tooltip.Root>
      <Tooltip.Trigger asChild>
        <time dateTime={at} className="relative z-1 whitespace-nowrap" suppressHydrationWarning>
          {children}
        </time>
      </Tooltip.Trigger>
      <Tooltip.Portal container={tooltipPlace()}>
        <Tooltip.Content className={tooltipLook} sideOffset={4} collisionPadding={8}>
          <Both at={at} />
        </Tooltip.Content>
      </Tooltip.Portal>
    </Tooltip.Root>
  );
}

function Both({ at }: { at: string }) {
  return (
    <span className="grid gap-0.5 tnum">
      <span>{localTime(at)}</span>
      <span className="text-faint">{utcTime(at)}</span>
    </span>
  );
}

let shown = 0;
const listeners = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;

/** Runs one timer for all the times of a page. */
function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  timer ??= setInterval(tick, TICK_MS);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

function tick(): void {
  shown = clock().now();
  for (const listener of listeners) listener();
}

function current(): number {
  shown ||= clock().now();
  return shown;
}
