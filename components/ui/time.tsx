"use client";

import {
  lazy,
  type MouseEvent,
  type PointerEvent,
  Suspense,
  useEffect,
  useRef,
  useState,
  useSyncExternalStore,
} from "react";
import { localTime } from "@/components/ui/local-time";
import { relativeTime, utcTime } from "@/components/ui/relative-time";
import { useTimes } from "@/components/ui/times";
import { clock } from "@/server/clock";

const TimeTooltip = lazy(() => import("@/components/ui/time-tooltip"));

const TICK_MS = 10_000;
/** How long a pointer rests on a time before its tooltip shows. */
const RESTS_MS = 250;

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
 * Shows a time with its tooltip, whose scripts are loaded when a pointer first rests on one. A browser may have another
 * short name for the zone than the server, which must not cause a hydration error.
 */
function TimeWithTooltip({ at, children }: { at: string; children: string }) {
  const [isShown, setShown] = useState(false);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const isPressed = useRef(false);
  useEffect(() => () => clearTimeout(timer.current), []);
  const enter = ({ pointerType }: PointerEvent) => {
    if (pointerType === "touch" || isPressed.current) return;
    timer.current = setTimeout(() => setShown(true), RESTS_MS);
  };
  const leave = () => {
    isPressed.current = false;
    clearTimeout(timer.current);
  };
  // Whoever clicks has read enough, until the pointer comes again. The tooltip stays until the click.
  const press = (event: PointerEvent) => {
    isPressed.current = true;
    clearTimeout(timer.current);
    if (isShown) event.preventDefault();
  };
  const time = (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the keyboard opens the row by its link.
    <time
      dateTime={at}
      className="relative z-1 whitespace-nowrap"
      onPointerEnter={enter}
      onPointerLeave={leave}
      onPointerDown={press}
      onClick={openRow}
      suppressHydrationWarning
    >
      {children}
    </time>
  );
  if (!isShown) return time;
  return (
    <Suspense fallback={time}>
      <TimeTooltip content={<Both at={at} />} onClose={() => setShown(false)}>
        {time}
      </TimeTooltip>
    </Suspense>
  );
}

/** Opens the row of a time, which lies above the row's link to be pointed at. */
function openRow({ currentTarget, nativeEvent }: MouseEvent): void {
  const link = currentTarget.closest("[data-row]")?.querySelector("a");
  if (!link?.contains(currentTarget)) link?.dispatchEvent(new window.MouseEvent("click", nativeEvent));
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
