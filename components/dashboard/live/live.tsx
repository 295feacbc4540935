"use client";

import { useRouter } from "next/navigation";
import { type ReactNode, useEffect, useState } from "react";
import { isSignedOut } from "@/components/dashboard/fault-text";
import { State } from "@/components/ui/state";
import { useTimes } from "@/components/ui/times";
import { wallClock } from "@/components/ui/zoned-time";
import { clock } from "@/server/clock";

const LOOK_MS = 5_000;
/** After this long nobody is looking any more: the session may expire. */
const UNWATCHED_MS = 15 * 60_000;
/** A single failure is a hiccup. */
const FAILURES_SAID = 2;

/**
 * Renders the page again when the result of `look` changes: only while the page is visible, and nobody types in a
 * panel. `seen` is the result from before the page was built, so that nothing is missed in between; unknown: the first
 * look is the baseline. Returns a notice when the page is out of date; if the session has ended, the page itself
 * redirects to the sign-in page.
 */
export function useLive(look: () => Promise<unknown>, name: string, seen?: unknown): ReactNode {
  const router = useRouter();
  const [staleSince, setStaleSince] = useState<number | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `look` and `seen` are new with each rendering, `name` says whether it asks for something else.
  useEffect(() => {
    let before = seen === undefined ? undefined : JSON.stringify(seen);
    let freshAt = clock().now();
    let failures = 0;
    const found = (now: string) => {
      freshAt = clock().now();
      failures = 0;
      setStaleSince(null);
      if (before !== undefined && before !== now) router.refresh();
      before = now;
    };
    const failed = (error: unknown) => {
      if (isSignedOut(error)) return router.refresh();
      failures += 1;
      if (failures >= FAILURES_SAID) setStaleSince(freshAt);
    };
    return whileWatched((isOver) =>
      look().then(
        (result) => isOver() || found(JSON.stringify(result)),
        (error) => isOver() || failed(error),
      ),
    );
  }, [name, router]);
  return <Stale since={staleSince} />;
}

/** Repeats the work, never twice at once, and returns what stops it. */
function whileWatched(work: (isOver: () => boolean) => Promise<unknown>): () => void {
  let touchedAt = clock().now();
  let isAsking = false;
  let isOver = false;
  const touch = () => {
    touchedAt = clock().now();
  };
  const tick = async () => {
    const isWatched = document.visibilityState === "visible" && clock().now() - touchedAt < UNWATCHED_MS;
    if (isAsking || !isWatched || isBusy()) return;
    isAsking = true;
    await work(() => isOver);
    isAsking = false;
  };
  const timer = setInterval(tick, LOOK_MS);
  const gestures = ["pointermove", "keydown", "visibilitychange"];
  for (const gesture of gestures) document.addEventListener(gesture, touch, { passive: true });
  tick();
  return () => {
    isOver = true;
    clearInterval(timer);
    for (const gesture of gestures) document.removeEventListener(gesture, touch);
  };
}

/** Reports whether somebody types, reads a dialog or selects text: the page must not move under them. */
function isBusy(): boolean {
  if (document.querySelector("[role=dialog],[role=menu]")) return true;
  if (document.activeElement?.matches("input,textarea,select")) return true;
  return getSelection()?.type === "Range";
}

/** Shows a notice above the page, wherever it is scrolled to. */
function Stale({ since }: { since: number | null }) {
  const { zone } = useTimes();
  return (
    <div
      role="status"
      className="fixed inset-x-0 bottom-4 z-40 flex justify-center px-4 max-md:bottom-18 pointer-events-none"
    >
      {since !== null && (
        <p className="rounded-md border bg-raised px-3 py-2 text-13 shadow-float">
          <State tone="wait">
            <span className="whitespace-normal">
              Can’t reach Almanac. Last updated at {wallClock(since, zone).slice(11, 16)}.
            </span>
          </State>
        </p>
      )}
    </div>
  );
}
