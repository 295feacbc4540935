import { counted } from "@/components/ui/number";
import { relativeTime } from "@/components/ui/relative-time";
import type { Tone } from "@/components/ui/state";
import type { Background } from "@/server/services/staff/overview/shapes";

const SWEEP_LATE_MS = 3 * 60_000;
const RUN_LATE_MS = 60_000;

/** The embedded executor has not begun a job that has been due for a minute. */
export function isRunLate({ runs }: Background, now: number): boolean {
  return runs.oldestDueAt !== null && Date.parse(runs.oldestDueAt) < now - RUN_LATE_MS;
}

/** The sweep, which comes every minute, was missed more than twice. */
export function isSweepLate({ lastSweepAt }: Background, now: number): boolean {
  return lastSweepAt === null || Date.parse(lastSweepAt) <= now - SWEEP_LATE_MS;
}

/** What is wrong with the background work, most urgent first; empty: nothing is. */
export function backgroundFaults(background: Background, now: number): string[] {
  const { executor, runs, lastSweepAt, deadLetters } = background;
  const isEmbedded = executor === "embedded";
  const faults = [
    isEmbedded &&
      runs.oldestDueAt !== null &&
      isRunLate(background, now) &&
      `a job due ${relativeTime(Date.parse(runs.oldestDueAt), now)} hasn’t started`,
    isEmbedded &&
      isSweepLate(background, now) &&
      (lastSweepAt === null
        ? "no sweep has run yet"
        : `the last sweep ran ${relativeTime(Date.parse(lastSweepAt), now)}`),
    isEmbedded && runs.failed24h > 0 && `${counted(runs.failed24h, "job")} failed in 24 h`,
    deadLetters > 0 && `${counted(deadLetters, "unprocessable signal")}`,
  ];
  return faults.filter((fault) => fault !== false);
}

/** The background work as one state, and a line that says why. */
export function backgroundState(background: Background, now: number): { tone: Tone; word: string; line: string } {
  const faults = backgroundFaults(background, now);
  if (faults.length > 0) return { tone: "wait", word: "Needs attention", line: sentence(faults) };
  const { executor, runs, waitingSignals } = background;
  const signals = counted(waitingSignals, "queued signal");
  const line =
    executor === "embedded" ? `${counted(runs.open, "open job")}, ${signals}.` : `${signals}. Jobs run on Inngest.`;
  return { tone: "off", word: "Running", line };
}

/** "2 jobs failed in 24 h, 1 unprocessable signal." */
export function sentence(parts: readonly string[]): string {
  const words = parts.join(", ");
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}.`;
}
