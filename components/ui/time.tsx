"use client";

import { Tooltip } from "radix-ui";
import { useSyncExternalStore } from "react";
import { localTime } from "@/components/ui/local-time";
import { relativeTime, utcTime } from "@/components/ui/relative-time";
import { tooltipLook, tooltipPlace } from "@/components/ui/tooltip";
import { clock } from "@/server/clock";

const TICK_MS = 10_000;

interface TimeProps {
  /** ISO, UTC. */
  at: string;
  /** The server's time in milliseconds: what the first rendering counts from, here as there. */
  now: number;
}

/** A time, relative and kept so; a pointer over it shows it in the reader's zone and in UTC. */
export function Time({ at, now }: TimeProps) {
  const shownAt = useSyncExternalStore(subscribe, current, () => now);
  return <Told at={at}>{relativeTime(Date.parse(at), Math.max(shownAt, now))}</Told>;
}

/** A time in full, for panels, and how long ago: in the reader's zone; in UTC as long as only the server has rendered it. */
export function FullTime({ at, now }: TimeProps) {
  const isHere = useSyncExternalStore(never, here, notHere);
  return (
    <span>
      <Told at={at}>{isHere ? localTime(at) : utcTime(at)}</Told> <span className="text-faint">· </span>
      <span className="text-faint">
        <Time at={at} now={now} />
      </span>
    </span>
  );
}

function Told({ at, children }: { at: string; children: string }) {
  return (
    <Tooltip.Root>
      <Tooltip.Trigger asChild>
        <time dateTime={at} className="relative z-1 whitespace-nowrap">
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
  const local = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "long" }).format(new Date(at));
  return (
    <span className="grid gap-0.5 tnum">
      <span>{local}</span>
      <span className="text-faint">{utcTime(at)}</span>
    </span>
  );
}

const never = () => () => {};
const here = () => true;
const notHere = () => false;

let shown = 0;
const listeners = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;

/** One timer for all the times of a page. */
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
