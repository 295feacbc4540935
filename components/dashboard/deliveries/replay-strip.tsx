"use client";

import { useRouter } from "next/navigation";
import { useEffect, useState } from "react";
import { replayWords, timeLeft } from "@/components/dashboard/deliveries/replay-words";
import { staffClient } from "@/components/dashboard/staff-client";
import { useAction } from "@/components/dashboard/use-action";
import { Button } from "@/components/ui/button";
import { Fault } from "@/components/ui/fault";
import { aboutDuration } from "@/components/ui/number";
import { State } from "@/components/ui/state";
import { Time } from "@/components/ui/time";
import { clock } from "@/server/clock";
import type { ReplayRow } from "@/server/services/staff/deliveries/shapes";

const LOOK_MS = 1_000;

/** Shows a bulk retry: its progress, and a way to stop it. */
export function ReplayStrip({ replay, now }: { replay: ReplayRow; now: number }) {
  const [shown, setShown] = useState(replay);
  const [lookedAt, setLookedAt] = useState(now);
  const router = useRouter();
  const action = useAction();
  const isRunning = shown.state === "running";
  const { tone, word, counts } = replayWords(shown);
  const left = isRunning ? timeLeft(shown, lookedAt) : null;
  useEffect(() => {
    if (!isRunning) return;
    const timer = setInterval(async () => {
      const found = await staffClient.deliveries.replays.get.query({ id: replay.id }).catch(() => null);
      if (!found) return;
      setShown(found);
      setLookedAt(clock().now());
      if (found.state !== "running") router.refresh();
    }, LOOK_MS);
    return () => clearInterval(timer);
  }, [isRunning, replay.id, router]);
  const stop = () =>
    action.run(async () => {
      await staffClient.deliveries.replays.cancel.mutate({ id: replay.id });
      setShown((before) => ({ ...before, state: "cancelled" }));
    }, "Bulk retry stopped");
  return (
    <section
      aria-label="Bulk retry"
      className="flex flex-wrap items-center gap-x-4 gap-y-1 border-t px-6 py-2 text-13 max-sm:px-4"
    >
      <State tone={tone}>{word}</State>
      <progress
        value={shown.done}
        max={Math.max(1, shown.total)}
        aria-label="Deliveries processed"
        className="h-1.5 w-40 appearance-none overflow-hidden rounded-full bg-hairline [&::-moz-progress-bar]:bg-accent [&::-webkit-progress-bar]:bg-hairline [&::-webkit-progress-value]:bg-accent"
      />
      <span className="tnum">
        {counts}
        {left !== null && <span className="text-faint"> · {aboutDuration(left)} left</span>}
      </span>
      <span className="text-faint">
        started by {shown.startedBy} <Time at={shown.createdAt} now={now} />
      </span>
      {isRunning && (
        <Button look="quiet" className="ml-auto h-7" disabled={action.isBusy} onClick={stop}>
          Stop
        </Button>
      )}
      <Fault>{action.fault}</Fault>
    </section>
  );
}
