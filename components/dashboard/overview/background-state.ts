import { counted, formatCount } from "@/components/ui/number";
import { relativeTime } from "@/components/ui/relative-time";
import type { Tone } from "@/components/ui/state";
import type { Background } from "@/server/services/staff/overview/shapes";

const LOOK_LATE_MS = 3 * 60_000;

/** Reports whether the check for alerts, which some process makes every minute, was missed more than twice. */
export function isLookLate({ lastLookAt }: Background, now: number): boolean {
  return Date.parse(lastLookAt) <= now - LOOK_LATE_MS;
}

/** Lists what is wrong with the background work, most urgent first. */
export function backgroundFaults(background: Background, now: number): string[] {
  const { chores, lastLookAt, deadLetters } = background;
  const faults = [
    isLookLate(background, now) && `the last check for alerts was ${relativeTime(Date.parse(lastLookAt), now)}`,
    chores.late.length > 0 && `${counted(chores.late.length, "scheduled job")} late (${chores.late.join(", ")})`,
    deadLetters > 0 && `${counted(deadLetters, "unprocessable signal")}`,
  ];
  return faults.filter((fault) => fault !== false);
}

/** Sums up the background work as one state, and a line that says why. */
export function backgroundState(background: Background, now: number): { tone: Tone; word: string; line: string } {
  const faults = backgroundFaults(background, now);
  if (faults.length > 0) return { tone: "wait", word: "Needs attention", line: sentence(faults) };
  const { engine, waitingSignals } = background;
  const waiting = `${formatCount(waitingSignals)} waiting.`;
  const line = engine === "embedded" ? waiting : `${waiting} Jobs run on Inngest.`;
  return { tone: "off", word: "Healthy", line };
}

/** Joins parts to a sentence: "2 jobs failed in 24 h, 1 unprocessable signal." */
export function sentence(parts: readonly string[]): string {
  const words = parts.join(", ");
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}.`;
}
